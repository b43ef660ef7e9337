import { z } from 'zod'
import { recordId } from './fields.ts'

/** A member, or the system, has changed or deleted something. */
export const auditRecordedV1 = z.object({
  _id: recordId,
  at: z.iso.datetime(),
  /** As `subject.what happened`. */
  action: z.string(),
  /** The account; `system` without an address where no member did it. */
  actor: z.object({ _id: z.string(), email: z.string() }),
  subject: z.object({ type: z.enum(['user', 'event', 'upload', 'contact']), id: recordId }),
  /** The event that it concerns. */
  eventId: recordId.optional(),
  /** The IP address of the actor; empty for the system. */
  address: z.string(),
  /** What else is known. It is removed when the subject or the event is erased. */
  details: z.record(z.string(), z.json()).optional(),
})
