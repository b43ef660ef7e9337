import { z } from 'zod'
import { recordId } from './fields.ts'

/** An event as other services copy it: published when it is created and with each change, as it is then. */
export const eventCopy = z.object({
  _id: recordId,
  /** The account id of its first organiser. */
  eventFor: recordId,
  /** The account ids of all organisers. */
  organisers: z.array(recordId),
  uploadsCloseAt: z.iso.datetime(),
  name: z.string().optional(),
  /** Its first day, as yyyy-MM-dd. Absent in copies of earlier versions. */
  startDate: z.iso.date().optional(),
  /** The IANA time zone of its days. */
  timeZone: z.string().optional(),
  /** Whether uploads were closed before `uploadsCloseAt`. */
  uploads: z.enum(['open', 'closed']).optional(),
  /** The upload that is shown to guests as the cover. */
  cover: recordId.optional(),
  maxFiles: z.int().positive().optional(),
  maxBytes: z.int().positive().optional(),
  /** When the event is going to be deleted. */
  deleteAt: z.iso.datetime().optional(),
  /** Whether guests see an upload only once an organiser has approved it. */
  moderation: z.enum(['off', 'approve']).optional(),
  /** Whether guests see what others have sent. */
  gallery: z.enum(['off', 'on']).optional(),
  /** Whether guests can save copies of what they see; absent: no. */
  save: z.literal('copy').optional(),
  /** When they see it. */
  revealAt: z.iso.datetime().optional(),
  /** Of guests whose own languages there is no translation for. */
  language: z.string().optional(),
  /** Stands for its PIN, which it does not tell, and signs the passes of guests; in hexadecimal. Absent: there is no PIN. */
  pinHash: z.string().optional(),
  /** SHA-256 of the key of its live wall, in hexadecimal. */
  wallKeyHash: z.string().optional(),
  /** The version of what guests must agree to before they send anything. Absent: nothing. */
  consentVersion: z.string().optional(),
  /** What guests type who cannot scan its QR code. Absent in copies of earlier versions. */
  shortCode: z.string().optional(),
  /**
   * Counts the changes of the event: a consumer ignores a message with a lower one than it has seen. Earlier versions did not
   * send it of a new event.
   */
  revision: z.int().nonnegative().default(0),
})
export type EventCopy = z.infer<typeof eventCopy>

/** Somebody was invited to organise an event; only where the system sends mail. */
export const organiserInvitedV1 = z.object({
  invitationId: recordId,
  email: z.string(),
  eventId: recordId,
  eventName: z.string(),
  /** The account of who invites. */
  invitedBy: z.object({ _id: recordId, email: z.string() }),
  /** The page that accepts the invitation, with its token. */
  link: z.url(),
  /** When the link stops working. */
  expiresAt: z.iso.datetime(),
})

/** An event was deleted. Published again until each service that has something of events has erased it. */
export const eventDeletedV1 = z.object({ _id: recordId })

/** A service has nothing of a deleted event any more. */
export const eventErasedV1 = z.object({ eventId: recordId, service: z.string() })
