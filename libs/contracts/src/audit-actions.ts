// In a file without zod, so that pages can import it without loading it.

/** What the audit log records, as `subject.what happened`. */
export const auditActions = [
  'user.created',
  'user.invited',
  'user.invitation-accepted',
  'user.role-changed',
  'user.deactivated',
  'user.activated',
  'user.password-changed',
  'user.password-reset',
  'user.password-reset-sent',
  'user.signed-out-everywhere',
  'user.erased',
  'event.created',
  'event.changed',
  'event.organiser-invited',
  'event.invitation-withdrawn',
  'event.organiser-added',
  'event.organiser-removed',
  'event.first-organiser-changed',
  'event.deleted',
  'event.wall-created',
  'event.wall-ended',
  'upload.deleted',
  'upload.visibility-changed',
  'upload.renamed',
  'contact.replied',
  'contact.deleted',
] as const
export type AuditAction = (typeof auditActions)[number]

/** The actor of what no member did, such as the deletion of an event whose keep days have passed. */
export const SYSTEM_ACTOR = 'system'
