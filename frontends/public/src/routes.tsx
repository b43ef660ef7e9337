import type { RemoteRoute } from '@confetti/federation/remote'
import { withTexts } from '@confetti/federation/with-texts'
import { loadCatalogues } from '@confetti/i18n'
import { ownerCatalogues } from './owner-texts.ts'
import { galleryCatalogue } from './gallery-texts.ts'
import { guestCatalogues } from './texts.ts'

// Each page is a chunk of its own, so that a guest at /upload downloads only the guest pages. The inline script of the
// shell's index.html preloads those with names.

const ownerRoutes: readonly RemoteRoute[] = [
  {
    path: '/',
    title: 'Photos from every guest',
    titleId: 'tab.landing',
    page: async () => (await import('./pages/landing.tsx')).Landing,
  },
  {
    path: '/login',
    title: 'Sign in',
    titleId: 'tab.login',
    page: async () => (await import('./pages/sign-in.tsx')).Login,
  },
  {
    path: '/register',
    title: 'Create an account',
    titleId: 'tab.register',
    page: async () => (await import('./pages/sign-in.tsx')).Register,
  },
  {
    path: '/forgot-password',
    title: 'Forgot your password?',
    titleId: 'tab.forgotPassword',
    page: async () => (await import('./pages/forgot-password.tsx')).ForgotPassword,
  },
  {
    path: '/reset-password',
    title: 'Reset your password',
    titleId: 'tab.resetPassword',
    page: async () => (await import('./pages/set-password.tsx')).ResetPassword,
  },
  {
    path: '/accept-invitation',
    title: 'Accept your invitation',
    titleId: 'tab.acceptInvitation',
    page: async () => (await import('./pages/set-password.tsx')).AcceptInvitation,
  },
  {
    path: '/account',
    title: 'Account',
    titleId: 'tab.account',
    page: async () => (await import('./pages/account.tsx')).Account,
  },
  {
    path: '/organiser-invitation',
    title: 'Accept your invitation',
    titleId: 'tab.acceptInvitation',
    page: async () => (await import('./pages/organiser-invitation.tsx')).OrganiserInvitation,
  },
]

const guestRoutes: readonly RemoteRoute[] = [
  {
    path: '/upload',
    title: 'Upload Media',
    titleId: 'tab.upload',
    page: async () => (await import(/* webpackChunkName: 'page-upload' */ './pages/guest-pages.ts')).Upload,
  },
  {
    path: '/thank-you',
    title: 'Thank You',
    titleId: 'tab.thankYou',
    page: async () =>
      (await import(/* webpackChunkName: 'page-upload' */ './pages/guest-pages.ts')).loadThankYou(),
  },
  {
    path: '/gallery',
    title: 'Gallery',
    titleId: 'tab.gallery',
    page: async () => (await import(/* webpackChunkName: 'page-gallery' */ './pages/gallery.tsx')).Gallery,
  },
  {
    path: '/privacy',
    title: 'Privacy',
    titleId: 'tab.privacy',
    page: async () => (await import('./pages/privacy.tsx')).loadPrivacy(),
  },
  {
    path: '/wall/:eventId',
    title: 'Live wall',
    titleId: 'tab.wall',
    page: async () => (await import('./pages/wall.tsx')).Wall,
  },
  {
    path: '/mine',
    title: 'Your photos',
    titleId: 'own.title',
    page: async () => {
      const [{ Mine }] = await Promise.all([import('./pages/mine.tsx'), loadCatalogues([galleryCatalogue])])
      return Mine
    },
  },
  {
    path: '/e/:code',
    title: 'Upload Media',
    titleId: 'tab.upload',
    page: async () => (await import('./pages/short-link.tsx')).ShortLink,
  },
]

export const routes = [...withTexts(ownerCatalogues, ownerRoutes), ...withTexts(guestCatalogues, guestRoutes)]
