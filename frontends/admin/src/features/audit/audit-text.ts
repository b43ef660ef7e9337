import { formatSize } from '@confetti/album/album'
import type { TextId as AlbumTextId } from '@confetti/album/texts'
import { SYSTEM_ACTOR, type AuditAction, type AuditEntry, type EventDetails } from '@confetti/contracts'
import { createTexts, getFormatLocale } from '@confetti/i18n'
import { formatDay } from '@confetti/ui/day'
import { getText, type TextId } from '../../texts.ts'
import { roleNames } from '../users/users-api.ts'

export const actionLabels: Readonly<Record<AuditAction, TextId>> = {
  'user.created': 'admin.audit.action.userCreated',
  'user.invited': 'admin.audit.action.userInvited',
  'user.invitation-accepted': 'admin.audit.action.invitationAccepted',
  'user.role-changed': 'admin.audit.action.roleChanged',
  'user.deactivated': 'admin.audit.action.userDeactivated',
  'user.activated': 'admin.audit.action.userActivated',
  'user.password-changed': 'admin.audit.action.passwordChanged',
  'user.password-reset': 'admin.audit.action.passwordReset',
  'user.password-reset-sent': 'admin.audit.action.passwordResetSent',
  'user.signed-out-everywhere': 'admin.audit.action.signedOutEverywhere',
  'user.erased': 'admin.audit.action.userErased',
  'event.created': 'admin.audit.action.eventCreated',
  'event.changed': 'admin.audit.action.eventChanged',
  'event.organiser-invited': 'admin.audit.action.organiserInvited',
  'event.invitation-withdrawn': 'admin.audit.action.invitationWithdrawn',
  'event.organiser-added': 'admin.audit.action.organiserAdded',
  'event.organiser-removed': 'admin.audit.action.organiserRemoved',
  'event.first-organiser-changed': 'admin.audit.action.firstOrganiserChanged',
  'event.deleted': 'admin.audit.action.eventDeleted',
  'event.wall-created': 'admin.audit.action.wallCreated',
  'event.wall-ended': 'admin.audit.action.wallEnded',
  'upload.deleted': 'admin.audit.action.uploadDeleted',
  'upload.renamed': 'admin.audit.action.uploadRenamed',
  'upload.visibility-changed': 'admin.audit.action.visibilityChanged',
  'contact.replied': 'admin.audit.action.contactReplied',
  'contact.deleted': 'admin.audit.action.contactDeleted',
}

/** What happened. A newer server may know more actions than this page. */
export const labelOf = (action: string): string => {
  const label = (actionLabels as Readonly<Partial<Record<string, TextId>>>)[action]
  return label ? getText(label) : action
}

export const actorOf = ({ actor }: Pick<AuditEntry, 'actor'>): string => {
  if (actor.email) return actor.email
  return getText(actor._id === SYSTEM_ACTOR ? 'admin.audit.system' : 'admin.audit.erasedAccount')
}

const fieldLabels = {
  name: 'admin.audit.field.name',
  description: 'admin.audit.field.description',
  startDate: 'admin.audit.field.startDate',
  endDate: 'admin.audit.field.endDate',
  uploads: 'admin.audit.field.uploads',
  uploadsCloseAt: 'admin.audit.field.uploadsCloseAt',
  timeZone: 'admin.audit.field.timeZone',
  language: 'admin.audit.field.language',
  moderation: 'admin.audit.field.moderation',
  gallery: 'admin.audit.field.gallery',
  save: 'admin.audit.field.save',
  revealAt: 'admin.audit.field.revealAt',
  welcome: 'admin.audit.field.welcome',
  cover: 'admin.audit.field.cover',
  consent: 'admin.audit.field.consent',
  consentUrl: 'admin.audit.field.consentUrl',
  responsible: 'admin.audit.field.responsible',
  pin: 'admin.audit.field.pin',
  pinInLinks: 'admin.audit.field.pinInLinks',
  maxFiles: 'admin.audit.field.maxFiles',
  maxBytes: 'admin.audit.field.maxBytes',
  keepDays: 'admin.audit.field.keepDays',
  visibility: 'admin.audit.field.visibility',
  email: 'admin.audit.field.email',
  role: 'admin.audit.field.role',
} satisfies Record<keyof EventDetails, TextId> & Readonly<Record<string, TextId>>

type ValueTextId = TextId | AlbumTextId
const { getText: getValueLabel } = createTexts<ValueTextId>()

const valueLabels: Readonly<Partial<Record<string, Readonly<Partial<Record<string, ValueTextId>>>>>> = {
  uploads: { open: 'album.settings.uploads.open', closed: 'album.settings.uploads.closed' },
  moderation: { off: 'album.settings.moderation.off', approve: 'album.settings.moderation.approve' },
  gallery: { off: 'album.settings.gallery.off', on: 'album.settings.gallery.on' },
  pinInLinks: { on: 'album.settings.pinInLinks.on', off: 'album.settings.pinInLinks.off' },
  visibility: {
    visible: 'album.visibility.visible',
    pending: 'album.visibility.pending',
    hidden: 'album.visibility.hidden',
  },
  role: roleNames,
}

const instantFields: readonly string[] = ['uploadsCloseAt', 'revealAt'] satisfies (keyof typeof fieldLabels)[]
const dayFields: readonly string[] = ['startDate', 'endDate'] satisfies (keyof typeof fieldLabels)[]

const MAX_VALUE_LENGTH = 200

/** A value as the server has stored it. */
export const toValueText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return getText('admin.audit.none')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

const formatValue = (value: unknown, field: string): string => {
  const label = typeof value === 'string' ? valueLabels[field]?.[value] : undefined
  if (label) return getValueLabel(label)
  if (field === 'maxBytes' && typeof value === 'number') return formatSize(value)
  if (typeof value === 'string' && instantFields.includes(field) && !Number.isNaN(Date.parse(value)))
    return new Date(value).toLocaleString(getFormatLocale())
  if (typeof value === 'string' && dayFields.includes(field)) return formatDay(value)
  return toValueText(value)
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

/** The details of an entry, a line each, such as `Name: Party → Wedding`. */
export const detailLines = (
  { details = {} }: Pick<AuditEntry, 'details'>,
  toText: (value: unknown, field: string) => string = formatValue,
): string[] =>
  Object.entries(details).map(([name, value]) => {
    // The translations of an event are recorded as 'name (de)'.
    const [, translated = name, language = ''] = /^(\w+)( \(.+\))$/.exec(name) ?? []
    const label = (fieldLabels as Readonly<Record<string, TextId | undefined>>)[translated]
    const field = label ? `${getText(label)}${language}` : name
    return isChange(value)
      ? getText('admin.audit.change', {
          field,
          from: toText(value.from, name),
          to: toText(value.to, name),
        })
      : getText('admin.audit.detail', { field, value: toText(value, name) })
  })
