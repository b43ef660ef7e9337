import type { AuditAction, AuditList } from '@confetti/contracts'
import { decodeCursor, encodeCursor } from '@confetti/service-kit'
import type { AuditStore } from './audit.ts'

interface Deps {
  audit: Pick<AuditStore, 'list'>
}

interface Query {
  /** An account id or an email address. */
  actor?: string | undefined
  eventId?: string | undefined
  action?: AuditAction | undefined
  /** A day (yyyy-MM-dd, in UTC) or a time (ISO 8601). */
  from?: string | undefined
  /** A day, which is included, or a time, which is not. */
  to?: string | undefined
  limit: number
  after?: string | undefined
}

const DAY_MS = 24 * 3_600_000

const isDay = (text: string): boolean => !text.includes('T')
const endOf = (to: string): Date => new Date(Date.parse(to) + (isDay(to) ? DAY_MS : 0))

/** Lists one page of the audit log, latest first. */
export const makeListAudit =
  ({ audit }: Deps) =>
  async ({ actor, eventId, action, from, to, limit, after }: Query): Promise<AuditList> => {
    const page = await audit.list(
      {
        ...(actor && (actor.includes('@') ? { actorEmail: actor } : { actorId: actor })),
        eventId,
        action,
        from: from === undefined ? undefined : new Date(from),
        before: to === undefined ? undefined : endOf(to),
      },
      { limit, after: after ? decodeCursor(after) : undefined },
    )
    return {
      entries: page.entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
      ...(page.next && { nextCursor: encodeCursor(page.next) }),
    }
  }
export type ListAudit = ReturnType<typeof makeListAudit>
