import type { RemoteRoute } from '@confetti/federation/remote'
import { prefetchGallery } from './features/gallery/gallery-api.ts'
import { prefetchEvent } from './features/upload/event-api.ts'

// Each page is a chunk of its own, so that a guest at /upload downloads only the guest pages.
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
    page: async () => {
      prefetchEvent()
      return (await import('./pages/guest-pages.ts')).Upload
    },
  },
  {
    path: '/thank-you',
    title: 'Thank You',
    page: async () => (await import('./pages/guest-pages.ts')).ThankYou,
  },
  {
    path: '/gallery',
    title: 'Gallery',
    page: async () => {
      const eventId = prefetchEvent()
      if (eventId) prefetchGallery(eventId)
      return (await import('./pages/gallery.tsx')).Gallery
    },
  },
  { path: '/wall/:eventId', title: 'Live wall', page: async () => (await import('./pages/wall.tsx')).Wall },
]
