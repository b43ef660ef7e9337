import { eventId as eventIdSchema, type EventSummary } from '@confetti/contracts'
import { eventNotFound, type AppError, type Clock } from '@confetti/service-kit'
import { eventClosed } from './rejections.ts'

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

/** How long after a scheduled closing time guests can finish what they began before it. */
const CLOSING_GRACE_MS = 60 * 60_000

/**
 * Why an event takes no file at `now` that a guest began to send at `begunAt`, if it does not. Uploads that an organiser
 * has closed are closed at once.
 */
export const findClosedError = (
  { uploads, uploadsCloseAt }: StoredEvent,
  begunAt: Date,
  now: Date,
): AppError | undefined => {
  const closesAt = Date.parse(uploadsCloseAt)
  const isOpen =
    uploads !== 'closed' && begunAt.getTime() < closesAt && now.getTime() < closesAt + CLOSING_GRACE_MS
  return isOpen ? undefined : eventClosed()
}

/** Finds events in the local copies or, if they are too new to be there, in the events service. */
export const createEvents = ({
  events,
  fetchEvent,
  clock,
}: {
  events: EventStore
  /** Asks the events service for an event that the local copy does not have yet. */
  fetchEvent: (eventId: string) => Promise<StoredEvent | undefined>
  clock: Clock
}) => {
  /** Throws `notFound`, also for malformed ids. */
  const find = async (id: string): Promise<StoredEvent> => {
    const eventId = eventIdSchema.safeParse(id.trim())
    const local = eventId.success ? await events.find(eventId.data) : undefined
    if (local) return local
    const fetched = eventId.success ? await fetchEvent(eventId.data) : undefined
    if (!fetched) throw eventNotFound()
    await events.save(fetched)
    return fetched
  }

  return {
    find,

    /**
     * Finds an event that accepts what a guest began to send at `begunAt`, by default now. Throws `notFound`, or `gone` if
     * the event is closed.
     */
    findOpen: async (id: string, begunAt = clock()): Promise<StoredEvent> => {
      const event = await find(id)
      const error = findClosedError(event, begunAt, clock())
      if (error) throw error
      return event
    },

    isOrganiser: ({ organisers }: StoredEvent, userId: string): boolean => organisers.includes(userId),
  }
}
export type Events = ReturnType<typeof createEvents>
export type FindEvent = Events['find']
export type FindOpenEvent = Events['findOpen']
