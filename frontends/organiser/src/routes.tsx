import { withQueryClient } from '@confetti/federation/query-client'
import type { RemoteRoute } from '@confetti/federation/remote'

export const routes: readonly RemoteRoute[] = withQueryClient([
  {
    path: '/contact-admin',
    title: 'Contact Admin',
    page: async () => (await import('./pages/contact-admin.tsx')).ContactAdmin,
  },
  {
    path: '/myevents',
    title: 'My Events',
    page: async () => (await import('./pages/my-events.tsx')).MyEvents,
  },
  {
    path: '/myevents/:eventId',
    title: 'Photos',
    page: async () => (await import('./pages/my-events-photos.tsx')).MyEventsPhotos,
  },
  {
    path: '/myevents/:eventId/review',
    title: 'Review',
    page: async () => (await import('./pages/event-review.tsx')).EventReview,
  },
  {
    path: '/myevents/:eventId/settings',
    title: 'Settings',
    page: async () => (await import('./pages/event-settings.tsx')).EventSettings,
  },
])
