import { eventId as eventIdSchema } from '@confetti/contracts'
import { notFound, type AppError, type Clock } from '@confetti/service-kit'
import type { EventStore, StoredEvent } from './event.ts'
import { eventClosed } from './rejections.ts'

interface Deps {
  events: EventStore
  /** Asks the events service for an event that the local copy does not have yet. */
  fetchEvent: (eventId: string) => Promise<StoredEvent | undefined>
}

const eventNotFound = () => notFound('Event not found.', { code: 'event_not_found' })

/**
 * Finds an event in the local copy or, if it is too new to be there, in the events service.
 * Throws `notFound`, also for malformed ids.
 */
export const makeFindEvent =
  ({ events, fetchEvent }: Deps) =>
  async (id: string): Promise<StoredEvent> => {
    const eventId = eventIdSchema.safeParse(id.trim())
    const local = eventId.success ? await events.find(eventId.data) : undefined
    if (local) return local
    const fetched = eventId.success ? await fetchEvent(eventId.data) : undefined
    if (!fetched) throw eventNotFound()
    await events.save(fetched)
    return fetched
  }
export type FindEvent = ReturnType<typeof makeFindEvent>

/** Finds an event of this organiser. Throws `notFound` also for another organiser's event. */
export const makeFindOwnEvent =
  (findEvent: FindEvent) =>
  async (organiserId: string, id: string): Promise<StoredEvent> => {
    const event = await findEvent(id)
    if (!event.organisers.includes(organiserId)) throw eventNotFound()
    return event
  }
export type FindOwnEvent = ReturnType<typeof makeFindOwnEvent>

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

/**
 * Finds an event that accepts what a guest began to send at `begunAt`, by default now. Throws `notFound`, or `gone` if the
 * event is closed.
 */
export const makeFindOpenEvent =
  ({ findEvent, clock }: { findEvent: FindEvent; clock: Clock }) =>
  async (id: string, begunAt = clock()): Promise<StoredEvent> => {
    const event = await findEvent(id)
    const error = findClosedError(event, begunAt, clock())
    if (error) throw error
    return event
  }
export type FindOpenEvent = ReturnType<typeof makeFindOpenEvent>
