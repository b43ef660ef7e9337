import { eventId as eventIdSchema } from '@confetti/contracts'
import { gone, notFound, type Clock } from '@confetti/service-kit'
import type { EventStore, StoredEvent } from './event.ts'

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

/** Finds an event that accepts uploads. Throws `notFound`, or `gone` if the event is closed. */
export const makeFindOpenEvent =
  ({ findEvent, clock }: { findEvent: FindEvent; clock: Clock }) =>
  async (id: string): Promise<StoredEvent> => {
    const event = await findEvent(id)
    if (event.uploads === 'closed' || clock() >= new Date(event.uploadsCloseAt))
      throw gone('This event no longer takes uploads.', { code: 'event_closed' })
    return event
  }
export type FindOpenEvent = ReturnType<typeof makeFindOpenEvent>
