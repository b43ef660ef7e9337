import type { RemoteRoute } from '@confetti/federation/remote'
import { prefetchGallery } from './features/gallery/gallery-api.ts'
import { loadWithTexts } from './features/guest-page/with-texts.tsx'
import { prefetchEvent } from './features/upload/event-api.ts'

// Each page is a chunk of its own, so that a guest at /upload downloads only the guest pages. The inline script of the
// shell's index.html preloads those with names.
export const routes: readonly RemoteRoute[] = [
  {
    path: '/',
    title: 'Photos from every guest',
    page: async () => (await import('./pages/landing.tsx')).Landing,
  },
  { path: '/login', title: 'Sign in', page: async () => (await import('./pages/login.tsx')).Login },
  {
    path: '/register',
    title: 'Create an account',
    page: async () => (await import('./pages/register.tsx')).Register,
  },
  {
    path: '/forgot-password',
    title: 'Forgot your password?',
    page: async () => (await import('./pages/forgot-password.tsx')).ForgotPassword,
  },
  {
    path: '/reset-password',
    title: 'Reset your password',
    page: async () => (await import('./pages/reset-password.tsx')).ResetPassword,
  },
  {
    path: '/accept-invitation',
    title: 'Accept your invitation',
    page: async () => (await import('./pages/accept-invitation.tsx')).AcceptInvitation,
  },
  {
    path: '/account',
    title: 'Account',
    page: async () => (await import('./pages/account.tsx')).Account,
  },
  {
    path: '/upload',
    title: 'Upload Media',
    page: () => {
      prefetchEvent()
      return loadWithTexts(
        async () => (await import(/* webpackChunkName: 'page-upload' */ './pages/guest-pages.ts')).Upload,
      )
    },
  },
  {
    path: '/thank-you',
    title: 'Thank You',
    page: () =>
      loadWithTexts(
        async () => (await import(/* webpackChunkName: 'page-upload' */ './pages/guest-pages.ts')).ThankYou,
      ),
  },
  {
    path: '/gallery',
    title: 'Gallery',
    page: () => {
      const eventId = prefetchEvent()
      if (eventId) prefetchGallery(eventId)
      return loadWithTexts(
        async () => (await import(/* webpackChunkName: 'page-gallery' */ './pages/gallery.tsx')).Gallery,
      )
    },
  },
  {
    path: '/wall/:eventId',
    title: 'Live wall',
    page: () => loadWithTexts(async () => (await import('./pages/wall.tsx')).Wall),
  },
]
