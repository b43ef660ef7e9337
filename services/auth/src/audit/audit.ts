import type { AuditAction, AuditList, MessageData } from '@confetti/contracts'
import { decodeCursor, encodeCursor, type PageRequest, type Position } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'

/** Who did what, when, and from which IP address. */
export type AuditEntry = Omit<MessageData<'audit.recorded.v1'>, 'at'> & { at: Date }

/** What a list is restricted to. */
export interface AuditFilter {
  actorId?: string | undefined
  actorEmail?: string | undefined
  eventId?: string | undefined
  action?: AuditAction | undefined
  from?: Date | undefined
  before?: Date | undefined
}

/** Entries are added, and reduced when their subject is erased. No method changes anything else in them. */
export interface AuditStore {
  /** Adds an entry, unless it has been added before. */
  add: (entry: AuditEntry) => Promise<void>
  /** One page of the entries that match `filter`, latest first, and the position after which the next page starts. */
  list: (filter: AuditFilter, page: PageRequest) => Promise<{ entries: AuditEntry[]; next?: Position }>
  /**
   * Reduces the entries about an erased account or event to who did what and when; of an erased account that did
   * something, only the id remains.
   */
  reduce: (erasedId: string) => Promise<void>
  /** Removes the entries from before `time`; returns their number. */
  removeBefore: (time: Date) => Promise<number>
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

const erasures: readonly string[] = ['event.deleted', 'user.erased']

/** Who did what: the log of what members and admins change. */
export const createAudit = ({ config, auditStore, erasedIds, clock, logger }: Deps) => ({
  /** Reduces the entries about an erased account or event, and those that come later. */
  erase: async (erasedId: string): Promise<void> => {
    await erasedIds.add(erasedId)
    await auditStore.reduce(erasedId)
  },

  /**
   * Adds an entry. If it records an erasure, or comes after one, the entries about what was erased are reduced.
   */
  record: async (recorded: MessageData<'audit.recorded.v1'>): Promise<void> => {
    const { action, actor, subject, eventId } = recorded
    await auditStore.add({ ...recorded, at: new Date(recorded.at) })
    if (erasures.includes(action)) await erasedIds.add(subject.id)
    for (const id of new Set([actor._id, subject.id, eventId]))
      if (id !== undefined && (await erasedIds.has(id))) await auditStore.reduce(id)
  },

  /** One page of the log, latest first. */
  list: async ({ actor, eventId, action, from, to, limit, after }: Query): Promise<AuditList> => {
    const page = await auditStore.list(
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
  },

  /** Removes entries that have been kept long enough. */
  sweep: async (): Promise<void> => {
    const removed = await auditStore.removeBefore(
      new Date(clock().getTime() - config.AUDIT_KEEP_DAYS * DAY_MS),
    )
    if (removed > 0) logger.info({ removed }, 'old entries of the audit log removed')
    await erasedIds.removeOld()
  },
})
