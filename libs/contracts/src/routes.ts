import * as accounts from './http/accounts.ts'
import * as archives from './http/archives.ts'
import * as audit from './http/audit.ts'
import * as auth from './http/auth.ts'
import * as clientErrors from './http/client-errors.ts'
import * as contact from './http/contact.ts'
import * as directUploads from './http/direct-uploads.ts'
import * as events from './http/events.ts'
import * as gallery from './http/gallery.ts'
import * as guestUploads from './http/guest-uploads.ts'
import * as live from './http/live.ts'
import * as moderation from './http/moderation.ts'
import * as notifications from './http/notifications.ts'
import * as uploads from './http/uploads.ts'

/** The routes of the public API, by the service that answers them, and there by operation id. */
export const serviceRoutes = {
  auth: {
    register: auth.register,
    login: auth.login,
    refresh: auth.refresh,
    logout: auth.logout,
    getAuthSettings: accounts.getAuthSettings,
    changePassword: accounts.changePassword,
    logoutAll: accounts.logoutAll,
    forgotPassword: accounts.forgotPassword,
    resetPassword: accounts.resetPassword,
    acceptInvitation: accounts.acceptInvitation,
    listUsers: auth.listUsers,
    listAccounts: accounts.listAccounts,
    inviteUser: accounts.inviteUser,
    updateUser: accounts.updateUser,
    sendPasswordReset: accounts.sendPasswordReset,
    eraseUser: accounts.eraseUser,
    listAudit: audit.listAudit,
  },
  events: {
    listActiveEvents: events.listActiveEvents,
    listUpcomingEvents: events.listUpcomingEvents,
    listPastEvents: events.listPastEvents,
    createEvent: events.createEvent,
    getEvent: events.getEvent,
    updateEvent: events.updateEvent,
    deleteEvent: events.deleteEvent,
    addOrganiser: events.addOrganiser,
    removeOrganiser: events.removeOrganiser,
    createQrCode: events.createQrCode,
    listMyEvents: events.listMyEvents,
    createWall: gallery.createWall,
    deleteWall: gallery.deleteWall,
  },
  uploads: {
    createUploads: uploads.createUploads,
    createUploadTickets: directUploads.createUploadTickets,
    completeUploads: directUploads.completeUploads,
    resumeUploads: directUploads.resumeUploads,
    listEventUploads: uploads.listEventUploads,
    listMyEventUploads: uploads.listMyEventUploads,
    createEventArchive: archives.createEventArchive,
    createMyEventArchive: archives.createMyEventArchive,
    downloadArchive: archives.downloadArchive,
    getEventCover: uploads.getEventCover,
    deleteUpload: uploads.deleteUpload,
    setUploadsVisibility: moderation.setUploadsVisibility,
    setMyUploadsVisibility: moderation.setMyUploadsVisibility,
    deleteMyUpload: moderation.deleteMyUpload,
    listGuestUploads: guestUploads.listGuestUploads,
    deleteGuestUpload: guestUploads.deleteGuestUpload,
    listGallery: gallery.listGallery,
    reportUpload: gallery.reportUpload,
    listWall: gallery.listWall,
  },
  live: {
    followEvent: live.followEvent,
  },
  contact: {
    contactAdmin: contact.contactAdmin,
    listContacts: contact.listContacts,
    replyToContact: contact.replyToContact,
  },
  notifications: {
    unsubscribe: notifications.unsubscribe,
    showUnsubscribePage: notifications.showUnsubscribePage,
  },
  gateway: {
    reportClientError: clientErrors.reportClientError,
  },
} as const
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
} as const

/** Routes between services, which the gateway does not expose. */
export const internalRoutes = {
  getUser: auth.getUser,
  listRevokedTokens: accounts.listRevokedTokens,
  getEventCopy: events.getEventCopy,
} as const
