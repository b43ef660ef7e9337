import { formatSize } from '@confetti/album/album'
import { SYSTEM_ACTOR, type AuditAction, type AuditEntry } from '@confetti/contracts'

export const actionLabels: Readonly<Record<AuditAction, string>> = {
  'user.created': 'Account created',
  'user.invited': 'Account invited',
  'user.invitation-accepted': 'Invitation accepted',
  'user.role-changed': 'Role changed',
  'user.deactivated': 'Account deactivated',
  'user.activated': 'Account activated',
  'user.password-changed': 'Password changed',
  'user.password-reset': 'Password reset',
  'user.password-reset-sent': 'Password reset sent',
  'user.signed-out-everywhere': 'Signed out everywhere',
  'user.erased': 'Account erased',
  'event.created': 'Event created',
  'event.changed': 'Event changed',
  'event.organiser-added': 'Organiser added',
  'event.organiser-removed': 'Organiser removed',
  'event.first-organiser-changed': 'First organiser changed',
  'event.deleted': 'Event deleted',
  'event.wall-created': 'Live wall link created',
  'event.wall-ended': 'Live wall link ended',
  'upload.deleted': 'Upload deleted',
  'upload.visibility-changed': 'Visibility changed',
  'contact.replied': 'Message answered',
}

/** What happened. A newer server may know more actions than this page. */
export const labelOf = (action: string): string =>
  (actionLabels as Readonly<Record<string, string>>)[action] ?? action

export const actorOf = ({ actor }: Pick<AuditEntry, 'actor'>): string => {
  if (actor.email) return actor.email
  return actor._id === SYSTEM_ACTOR ? 'System' : 'Erased account'
}

const fieldLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  startDate: 'Start date',
  endDate: 'End date',
  uploads: 'Uploads',
  uploadsCloseAt: 'Uploads close',
  timeZone: 'Time zone',
  moderation: 'Moderation',
  gallery: 'Gallery',
  revealAt: 'Gallery opens',
  welcome: 'Welcome text',
  cover: 'Cover',
  maxFiles: 'File limit',
  maxBytes: 'Storage limit',
  keepDays: 'Days kept',
  email: 'Email',
  role: 'Role',
}

const MAX_VALUE_LENGTH = 200

/** A value as the server has stored it. */
export const toValueText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

const formatValue = (value: unknown, field: string): string => {
  if (field === 'maxBytes' && typeof value === 'number') return formatSize(value)
  if (field === 'uploadsCloseAt' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return new Date(value).toLocaleString()
  return toValueText(value)
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

/** The details of an entry, a line each, such as `Name: Party → Wedding`. */
export const detailLines = (
  { details = {} }: Pick<AuditEntry, 'details'>,
  toText: (value: unknown, field: string) => string = formatValue,
): string[] =>
  Object.entries(details).map(([field, value]) => {
    const text = isChange(value)
      ? `${toText(value.from, field)} → ${toText(value.to, field)}`
      : toText(value, field)
    return `${fieldLabels[field] ?? field}: ${text}`
  })
