import type { AuditAction, MessageData } from '@confetti/contracts'
import type { PageRequest, Position } from '@confetti/service-kit'

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
