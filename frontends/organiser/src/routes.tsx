import { withQueryClient } from '@confetti/federation/query-client'
import type { RemoteRoute } from '@confetti/federation/remote'
import { withTexts } from '@confetti/federation/with-texts'
import { catalogues } from './texts.ts'

const pages: readonly RemoteRoute[] = [
  {
    path: '/contact-admin',
    title: 'Contact Admin',
    titleId: 'organiser.tab.contactAdmin',
    page: async () => (await import('./pages/contact-admin.tsx')).ContactAdmin,
  },
  {
    path: '/myevents',
    title: 'My Events',
    titleId: 'organiser.tab.myEvents',
    page: async () => (await import('./pages/my-events.tsx')).MyEvents,
  },
  {
    path: '/myevents/:eventId',
    title: 'Photos',
    titleId: 'organiser.tab.photos',
    page: async () => (await import('./pages/event-photos.tsx')).EventPhotos,
  },
  {
    path: '/myevents/:eventId/review',
    title: 'Review',
    titleId: 'organiser.tab.review',
    page: async () => (await import('./pages/event-review.tsx')).EventReview,
  },
  {
    path: '/myevents/:eventId/settings',
    title: 'Settings',
    titleId: 'organiser.tab.settings',
    page: async () => (await import('./pages/event-settings.tsx')).EventSettings,
  },
]

export const routes = withTexts(catalogues, withQueryClient(pages))
