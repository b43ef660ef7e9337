import { z } from 'zod'
import { auditActions } from '../audit-actions.ts'
import { entityId } from '../ids.ts'
import { DEFAULT_PAGE_SIZE } from '../limits.ts'
import { defineRoute } from '../route-contract.ts'
import { MAX_EMAIL_CHARACTERS } from '../text-limits.ts'
import { page } from './errors.ts'

const badActor = 'The person is an account id or an email address.'
const badTime = 'A time is a day (yyyy-MM-dd) or an ISO 8601 time with its zone.'
const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: badTime })

/** Who did what, when, and from which IP address. */
export const auditEntry = z
  .object({
    _id: z.string(),
    at: z.iso.datetime(),
    action: z.string(),
    /** Without an email address: the system, or an account that has been erased. */
    actor: z.object({ _id: z.string(), email: z.string() }),
    subject: z.object({ type: z.string(), id: z.string() }),
    /** The event that it concerns. */
    eventId: z.string().optional(),
    /** Empty for the system and for accounts that have been erased. */
    address: z.string(),
    /** Such as the changed fields, each with `from` and `to`. Absent once the subject has been erased. */
    details: z.record(z.string(), z.json()).optional(),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof auditEntry>

const auditList = z.object({ entries: z.array(auditEntry), nextCursor: z.string().optional() })
export type AuditList = z.infer<typeof auditList>

export const listAudit = defineRoute({
  method: 'get',
  path: '/api/admin/audit',
  summary: `List who changed or deleted what, latest first, at most ${DEFAULT_PAGE_SIZE} at once without a limit`,
  access: 'admin',
  query: page.extend({
    /** An account id or an email address. */
    actor: z
      .string({ error: badActor })
      .trim()
      .toLowerCase()
      .max(MAX_EMAIL_CHARACTERS, badActor)
      .regex(/^[\w'+\-.@]*$/, badActor)
      .optional(),
    eventId: entityId('The event is an id of 24 characters.').optional(),
    action: z.enum(auditActions, { error: 'There is no such action.' }).optional(),
    /** The first day, or the first moment. */
    from: time.optional(),
    /** The last day, in UTC, or the moment before which. */
    to: time.optional(),
  }),
  responses: { 200: auditList },
})

export const auditRoutes = { listAudit }
