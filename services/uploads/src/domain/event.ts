import type { EventSummary } from '@confetti/contracts'

/** An event as this service needs it: a copy of what the events service owns. */
export interface StoredEvent {
  _id: string
  /** The account ids of its organisers. */
  organisers: readonly string[]
  /** ISO 8601. */
  uploadsCloseAt: string
  /** 'closed': no more uploads, whatever `uploadsCloseAt` says. */
  uploads?: 'open' | 'closed' | undefined
  /** The upload that guests see as the cover. */
  cover?: string | undefined
  maxFiles?: number | undefined
  maxBytes?: number | undefined
  /** 'approve': guests see an upload only once an organiser has approved it. */
  moderation?: 'off' | 'approve' | undefined
  /** Whether guests see what others have sent. */
  gallery?: 'off' | 'on' | undefined
  /** When they see it, ISO 8601; at once without it. */
  revealAt?: string | undefined
  /** SHA-256 of the key of its live wall, in hexadecimal. */
  wallKeyHash?: string | undefined
  /** Counts the changes of the event. */
  revision: number
}

/** Versions before 0.2 know of one organiser only, and of no changes. */
export const toStoredEvent = ({
  _id,
  eventFor,
  organisers = [eventFor],
  uploadsCloseAt,
  uploads,
  cover,
  maxFiles,
  maxBytes,
  moderation,
  gallery,
  revealAt,
  wallKeyHash,
  revision = 0,
}: EventSummary): StoredEvent => ({
  _id,
  organisers,
  uploadsCloseAt,
  uploads,
  cover,
  maxFiles,
  maxBytes,
  moderation,
  gallery,
  revealAt,
  wallKeyHash,
  revision,
})

export interface EventStore {
  find: (eventId: string) => Promise<StoredEvent | undefined>
  /** Like `find`, and never uses an old copy. */
  findLatest: (eventId: string) => Promise<StoredEvent | undefined>
  /** Adds or replaces the copy of an event, unless it is newer or the event has been erased. */
  save: (event: StoredEvent) => Promise<void>
  /** Removes the copy of an event for good. Other replicas find it for `CACHE_TTL_MS` longer. */
  erase: (eventId: string) => Promise<void>
}

/** How long a replica may use an old copy of an event: a closed event takes uploads for 5 s at most, with the message's way. */
export const CACHE_TTL_MS = 4_000
