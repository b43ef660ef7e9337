import { createHash } from 'node:crypto'
import {
  eventDetailFields,
  mediaType,
  shortLinkPath,
  type Event,
  type GuestEvent,
  type EventCopy,
  type EventSettings,
  type OrganiserInvitation as InvitationView,
} from '@confetti/contracts'
import { pickDefined } from '@confetti/service-kit'
import type { Organiser, OrganiserInvitation, StoredEvent } from '../event.ts'
import type { Config } from '../config.ts'
import { derivePinSecrets } from '../pin.ts'
import { timeZoneOf } from '../schedule.ts'

type PinnedEvent = Pick<StoredEvent, 'pinSalt' | 'settings'>

/** The address with the key that opens the event without its PIN, if links have one. Browsers do not send it to servers. */
const withLinkKey = (url: URL, event: PinnedEvent): string => {
  const secrets = event.settings.pinInLinks === 'off' ? undefined : derivePinSecrets(event)
  if (secrets) url.hash = new URLSearchParams({ key: secrets.linkKey }).toString()
  return url.href
}

/** The address of the guests' upload page, which the QR code contains. */
export const getUploadUrl = (shellUrl: string, event: PinnedEvent & Pick<StoredEvent, '_id'>): string => {
  const url = new URL('/upload', shellUrl)
  url.searchParams.set('eventId', event._id)
  return withLinkKey(url, event)
}

/** The address of the live wall. The key is in the fragment, which browsers do not send to servers. */
export const getWallUrl = (shellUrl: string, eventId: string, key: string): string => {
  const url = new URL(`/wall/${eventId}`, shellUrl)
  url.hash = key
  return url.href
}

/** The page that accepts an invitation. Its token is in the fragment, too, so that no log contains it. */
export const getInvitationUrl = (shellUrl: string, token: string): string => {
  const url = new URL('/organiser-invitation', shellUrl)
  url.hash = new URLSearchParams({ token }).toString()
  return url.href
}

/** What views need of the configuration. */
type ViewConfig = Pick<Config, 'EVENT_TIME_ZONE' | 'SHELL_URL' | 'MAX_FILE_BYTES'>

/** Stands for the organiser of an event whose organisers' accounts have all been erased. */
const erasedOrganiser: Organiser = { _id: '0'.repeat(24), email: '' }
const firstOrganiser = ({ organisers: [first = erasedOrganiser] }: StoredEvent): Organiser => first

/** What an event with a limit still accepts at most, by the last count; 0 also if it has all its files. */
const remainingBytes = ({ settings: { maxFiles, maxBytes }, usage }: StoredEvent): number | undefined => {
  if (usage?.files === undefined || usage.bytes === undefined) return undefined
  if (maxFiles !== undefined && usage.files >= maxFiles) return 0
  return maxBytes === undefined ? undefined : Math.max(0, maxBytes - usage.bytes)
}

/** The version of what guests agree to: the same text and address are the same version, also when they are set again. */
const consentVersionOf = ({ text, url = '' }: NonNullable<EventSettings['consent']>): string =>
  createHash('sha256').update(`${text}\n${url}`).digest('hex').slice(0, 16)

/** Whether guests can save copies: as it was set, otherwise in new events where the gallery is on. */
const saveOf = ({ settings: { save, gallery }, savesWithGallery }: StoredEvent): { save?: 'copy' } =>
  (save ?? (savesWithGallery && gallery === 'on' ? 'copy' : 'off')) === 'copy' ? { save: 'copy' } : {}

/** An event as anyone with the link sees it. */
export const toGuestView = (
  event: StoredEvent,
  config: Omit<ViewConfig, 'SHELL_URL'>,
  now: Date,
): GuestEvent => ({
  ...pickDefined(event, eventDetailFields),
  _id: event._id,
  uploadsOpen: event.settings.uploads !== 'closed' && now < event.uploadsCloseAt,
  uploadsCloseAt: event.uploadsCloseAt.toISOString(),
  timeZone: timeZoneOf(event.settings, config),
  limits: {
    maxFileBytes: config.MAX_FILE_BYTES,
    ...pickDefined({ remainingBytes: remainingBytes(event) }, ['remainingBytes']),
    types: mediaType.options,
  },
  ...(event.deleteAt && { deleteAt: event.deleteAt.toISOString() }),
  ...(event.settings.consent && {
    consent: { ...event.settings.consent, version: consentVersionOf(event.settings.consent) },
  }),
  ...pickDefined(event.settings, [
    'responsible',
    'welcome',
    'language',
    'translations',
    'cover',
    'gallery',
    'revealAt',
    'moderation',
  ]),
  ...saveOf(event),
})

export const toInvitationView = ({ _id, email, expiresAt }: OrganiserInvitation): InvitationView => ({
  _id,
  email,
  expiresAt: expiresAt.toISOString(),
})

/** An event as admins and its organisers see it. */
export const toFullView = (event: StoredEvent, config: ViewConfig, now: Date): Event => ({
  ...toGuestView(event, config, now),
  eventFor: firstOrganiser(event),
  organisers: event.organisers,
  organiserInvitations: event.organiserInvitations
    .filter(({ expiresAt }) => expiresAt > now)
    .map(toInvitationView),
  settings: event.settings,
  ...pickDefined(event, ['savesWithGallery']),
  hasWall: event.wallKeyHash !== undefined,
  uploadUrl: getUploadUrl(config.SHELL_URL, event),
  ...(event.shortCode && {
    shortCode: event.shortCode,
    shortUrl: withLinkKey(new URL(shortLinkPath(event.shortCode), config.SHELL_URL), event),
  }),
  createdAt: event.createdAt.toISOString(),
})

/** An event as other services copy it. */
export const toEventCopy = (event: StoredEvent, config: Pick<Config, 'EVENT_TIME_ZONE'>): EventCopy => ({
  _id: event._id,
  eventFor: firstOrganiser(event)._id,
  organisers: event.organisers.map(({ _id }) => _id),
  uploadsCloseAt: event.uploadsCloseAt.toISOString(),
  name: event.name,
  startDate: event.startDate,
  timeZone: timeZoneOf(event.settings, config),
  ...pickDefined(event.settings, [
    'uploads',
    'cover',
    'maxFiles',
    'maxBytes',
    'moderation',
    'gallery',
    'revealAt',
    'language',
  ]),
  ...saveOf(event),
  ...pickDefined({ ...event, ...derivePinSecrets(event) }, ['pinHash', 'wallKeyHash', 'shortCode']),
  ...(event.settings.consent && { consentVersion: consentVersionOf(event.settings.consent) }),
  ...(event.deleteAt && { deleteAt: event.deleteAt.toISOString() }),
  revision: event.revision,
})
