import { z } from 'zod'
import { recordId } from './fields.ts'

const role = z.enum(['user', 'admin'])

/** The language of mails to the owner of an account, as a tag of BCP 47. Absent where it is not known. */
const language = z.string().optional()

/** There is a new account, also of an admin, and one that is invited. */
export const userRegisteredV1 = z.object({
  _id: recordId,
  email: z.string(),
  role,
  language,
})

/** The role or the language of an account has changed, or it was deactivated or activated. */
export const userChangedV1 = z.object({
  _id: recordId,
  email: z.string(),
  role,
  language,
  /** Whether the account may sign in. */
  active: z.boolean(),
  /** Counts the changes of the account: a consumer ignores a message with a lower one than it has seen. */
  revision: z.int().positive(),
})

/** An account was erased. Published again until each service that has something of accounts has erased it. */
export const userDeletedV1 = z.object({
  _id: recordId,
  /** The address of the account, by which mails are found that are about it without its id. */
  email: z.string(),
  /** The address may have another owner since then. Absent from earlier versions. */
  erasedAt: z.iso.datetime().optional(),
})

/** A service has nothing of an erased account any more. */
export const userErasedV1 = z.object({ userId: recordId, service: z.string() })

/** A mail to the owner of an account, or to whom one is offered; only where the system sends mail. */
export const userMailRequestedV1 = z.object({
  kind: z.enum(['invitation', 'password-reset', 'password-changed']),
  userId: recordId,
  email: z.string(),
  language,
  /** The page that the mail leads to, with its token. */
  link: z.url().optional(),
  /** When the link stops working. */
  expiresAt: z.iso.datetime().optional(),
})
