import { withQueryClient } from '@confetti/federation/query-client'
import type { RemoteRoute } from '@confetti/federation/remote'

const eventUploads = async () => (await import('./pages/event-uploads.tsx')).EventUploads

export const routes: readonly RemoteRoute[] = withQueryClient([
  { path: '/contacts', title: 'Contacts', page: async () => (await import('./pages/contacts.tsx')).Contacts },
  { path: '/events', title: 'Events', page: async () => (await import('./pages/events.tsx')).Events },
  {
    path: '/events/create',
    title: 'Create Event',
    page: async () => (await import('./pages/create-event.tsx')).CreateEvent,
  },
  {
    path: '/events/:eventId',
    title: 'Event details',
    page: async () => (await import('./pages/event-details.tsx')).EventDetails,
  },
  {
    path: '/events/:eventId/edit',
    title: 'Edit Event',
    page: async () => (await import('./pages/edit-event.tsx')).EditEvent,
  },
  {
    path: '/events/:eventId/settings',
    title: 'Settings',
    page: async () => (await import('./pages/event-settings.tsx')).EventSettings,
  },
  { path: '/admin/users', title: 'Users', page: async () => (await import('./pages/users.tsx')).Users },
  { path: '/admin/audit', title: 'Audit log', page: async () => (await import('./pages/audit.tsx')).Audit },
  { path: '/admin/event-uploads', title: 'Event Uploads', page: eventUploads },
  { path: '/admin/event-uploads/:eventId', title: 'Event Uploads', page: eventUploads },
  {
    path: '/admin/event-uploads/:eventId/review',
    title: 'Review',
    page: async () => (await import('./pages/review.tsx')).Review,
  },
])
