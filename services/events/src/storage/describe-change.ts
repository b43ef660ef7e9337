import { isDeepStrictEqual } from 'node:util'
import { eventDetailFields, type AuditAction } from '@confetti/contracts'
import type { AuditedChange } from '@confetti/messaging'
import { pickDefined } from '@confetti/service-kit'
import { missingFrom, type Organiser, type OrganiserInvitation, type StoredEvent } from '../event.ts'
import { derivePinSecrets } from '../pin.ts'

const fieldsOf = (event: StoredEvent) => {
  const { translations = {}, consent, pin: _pin, ...settings } = event.settings
  const translated = Object.entries(translations).flatMap(([language, texts]) =>
    Object.entries(texts).map(([field, translation]) => [`${field} (${language})`, translation] as const),
  )
  // The audit log does not say which PIN it is, but that it is another one.
  const secrets = derivePinSecrets(event)
  const pin = secrets && { pin: `set (${secrets.pinHash.slice(0, 8)})` }
  return {
    ...pickDefined(event, eventDetailFields),
    ...settings,
    ...pin,
    ...(consent && { consent: consent.text, consentUrl: consent.url }),
    ...Object.fromEntries(translated),
  }
}

/**
 * Somebody was invited, or an invitation withdrawn. Without the address: nobody finds it here when the account that has it is
 * erased. An invitation that ends because somebody becomes an organiser or leaves, or is invited again, has no entry.
 */
const describeInvitations = (before: StoredEvent, after: StoredEvent): AuditedChange[] => {
  const isIn = (event: StoredEvent, field: '_id' | 'email') => (invitation: OrganiserInvitation) =>
    event.organiserInvitations.some((other) => other[field] === invitation[field])
  const about = (action: 'event.organiser-invited' | 'event.invitation-withdrawn') => (): AuditedChange => ({
    action,
    subject: { type: 'event', id: after._id },
    eventId: after._id,
  })
  const invited = after.organiserInvitations.filter((each) => !isIn(before, '_id')(each))
  const ended = before.organiserInvitations.filter((each) => !isIn(after, 'email')(each))
  const isWithdrawn = isDeepStrictEqual(before.organisers, after.organisers)
  return [
    ...invited.map(about('event.organiser-invited')),
    ...(isWithdrawn ? ended.map(about('event.invitation-withdrawn')) : []),
  ]
}

/**
 * What the audit log says about a change of an event: its fields with their values, each organiser and invitation by itself,
 * and that the link to its live wall was made or ended, without its key.
 */
export const describeChange = (before: StoredEvent, after: StoredEvent): AuditedChange[] => {
  const eventId = after._id
  const from: Record<string, string | number | undefined> = fieldsOf(before)
  const to: Record<string, string | number | undefined> = fieldsOf(after)
  const changed = Object.keys({ ...from, ...to }).filter((field) => from[field] !== to[field])
  const aboutOrganiser =
    (action: Extract<AuditAction, `event.${string}-${string}`>) =>
    ({ _id, email }: Organiser): AuditedChange => ({
      action,
      subject: { type: 'user', id: _id },
      eventId,
      details: { email },
    })
  const fieldsChange: AuditedChange = {
    action: 'event.changed',
    subject: { type: 'event', id: eventId },
    eventId,
    details: Object.fromEntries(
      changed.map((field) => [field, { from: from[field] ?? null, to: to[field] ?? null }]),
    ),
  }
  const wallChange = (action: 'event.wall-created' | 'event.wall-ended'): AuditedChange[] => [
    { action, subject: { type: 'event', id: eventId }, eventId },
  ]
  const isWallChanged = after.wallKeyHash !== before.wallKeyHash
  const added = missingFrom(after.organisers, before.organisers)
  const removed = missingFrom(before.organisers, after.organisers)
  const [first] = after.organisers
  // An organiser who is added or removed has an entry already.
  const isReordered = first && first._id !== before.organisers[0]?._id && added.length + removed.length === 0
  return [
    ...(changed.length > 0 ? [fieldsChange] : []),
    ...added.map(aboutOrganiser('event.organiser-added')),
    ...removed.map(aboutOrganiser('event.organiser-removed')),
    ...(isReordered ? [aboutOrganiser('event.first-organiser-changed')(first)] : []),
    ...describeInvitations(before, after),
    ...(isWallChanged ? wallChange(after.wallKeyHash ? 'event.wall-created' : 'event.wall-ended') : []),
  ]
}
