import { z } from 'zod'
import { recordId } from './fields.ts'

/** An organiser has written to the admins. Not published after the first 60 in an hour. */
export const contactReceivedV1 = z.object({
  _id: recordId,
  subject: z.string(),
  message: z.string(),
  createdAt: z.iso.datetime(),
  userId: recordId,
  userEmail: z.string(),
})

/** An admin has answered a message. */
export const contactRepliedV1 = z.object({
  /** The reply's id. */
  _id: recordId,
  /** The message that it answers. */
  contactId: recordId,
  subject: z.string(),
  message: z.string(),
  createdAt: z.iso.datetime(),
  /** The member who gets the reply. */
  userId: recordId,
  userEmail: z.string(),
})
