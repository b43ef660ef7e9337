import { withQueryClient } from '@confetti/federation/query-client'
import type { RemoteRoute } from '@confetti/federation/remote'
import { withTexts } from '@confetti/federation/with-texts'
import { catalogues } from './texts.ts'

const eventUploads = async () => (await import('./pages/event-uploads.tsx')).EventUploads

const pages: readonly RemoteRoute[] = [
  {
    path: '/contacts',
    title: 'Contacts',
    titleId: 'admin.tab.contacts',
    page: async () => (await import('./pages/contacts.tsx')).Contacts,
  },
  {
    path: '/events',
    title: 'Events',
    titleId: 'admin.tab.events',
    page: async () => (await import('./pages/events.tsx')).Events,
  },
  {
    path: '/events/create',
    title: 'Create Event',
    titleId: 'admin.tab.createEvent',
    page: async () => (await import('./pages/create-event.tsx')).CreateEvent,
  },
  {
    path: '/events/:eventId',
    title: 'Event details',
    titleId: 'admin.tab.event',
    page: async () => (await import('./pages/event-details.tsx')).EventDetails,
  },
  {
    path: '/events/:eventId/edit',
    title: 'Edit Event',
    titleId: 'admin.tab.editEvent',
    page: async () => (await import('./pages/edit-event.tsx')).EditEvent,
  },
  {
    path: '/events/:eventId/settings',
    title: 'Settings',
    titleId: 'admin.tab.settings',
    page: async () => (await import('./pages/event-settings.tsx')).EventSettings,
  },
  {
    path: '/admin/users',
    title: 'Users',
    titleId: 'admin.tab.users',
    page: async () => (await import('./pages/users.tsx')).Users,
  },
  {
    path: '/admin/audit',
    title: 'Audit log',
    titleId: 'admin.tab.auditLog',
    page: async () => (await import('./pages/audit.tsx')).Audit,
  },
  {
    path: '/admin/event-uploads',
    title: 'Event Uploads',
    titleId: 'admin.tab.eventUploads',
    page: eventUploads,
  },
  {
    path: '/admin/event-uploads/:eventId',
    title: 'Event Uploads',
    titleId: 'admin.tab.eventUploads',
    page: eventUploads,
  },
  {
    path: '/admin/event-uploads/:eventId/review',
    title: 'Review',
    titleId: 'admin.tab.review',
    page: async () => (await import('./pages/review.tsx')).Review,
  },
]

export const routes = withTexts(catalogues, withQueryClient(pages))
