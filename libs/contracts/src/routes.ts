import { accountsRoutes } from './http/accounts.ts'
import { archivesRoutes } from './http/archives.ts'
import { auditRoutes } from './http/audit.ts'
import { authRoutes } from './http/auth.ts'
import { clientErrorsRoutes } from './http/client-errors.ts'
import { codesRoutes } from './http/codes.ts'
import { contactRoutes } from './http/contact.ts'
import { directUploadsRoutes } from './http/direct-uploads.ts'
import { eventsRoutes } from './http/events.ts'
import { galleryRoutes } from './http/gallery.ts'
import { guestUploadsRoutes } from './http/guest-uploads.ts'
import { liveRoutes } from './http/live.ts'
import { moderationRoutes } from './http/moderation.ts'
import { notificationsRoutes } from './http/notifications.ts'
import { organisersRoutes } from './http/organisers.ts'
import { passesRoutes } from './http/passes.ts'
import { previewsRoutes } from './http/previews.ts'
import { uploadsRoutes } from './http/uploads.ts'

/** The routes of the public API, by the service that answers them, and there by operation id. */
export const serviceRoutes = {
  auth: { ...authRoutes, ...accountsRoutes, ...auditRoutes },
  events: { ...eventsRoutes, ...organisersRoutes },
  uploads: {
    ...uploadsRoutes,
    ...directUploadsRoutes,
    ...archivesRoutes,
    ...moderationRoutes,
    ...guestUploadsRoutes,
    ...galleryRoutes,
  },
  live: liveRoutes,
  contact: contactRoutes,
  notifications: notificationsRoutes,
  gateway: { ...clientErrorsRoutes, ...codesRoutes, ...passesRoutes, ...previewsRoutes },
}
export type ServiceWithRoutes = keyof typeof serviceRoutes

/** All routes of the public API, by operation id. */
export const publicRoutes = {
  ...serviceRoutes.auth,
  ...serviceRoutes.events,
  ...serviceRoutes.uploads,
  ...serviceRoutes.live,
  ...serviceRoutes.contact,
  ...serviceRoutes.notifications,
  ...serviceRoutes.gateway,
}
