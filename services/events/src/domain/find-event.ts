import { notFound, type Principal } from '@confetti/service-kit'
import type { EventStore, StoredEvent } from './event.ts'

/** Whether the caller is an admin or an organiser of the event. */
export const canManage = (event: StoredEvent, principal: Principal | undefined): boolean =>
  principal?.role === 'admin' || event.organisers.some(({ _id }) => _id === principal?.userId)

export const eventNotFound = () => notFound('Event not found.', { code: 'event_not_found' })

/** Finds an event. Throws `notFound`. */
export const makeFindEvent =
  ({ events }: { events: Pick<EventStore, 'find'> }) =>
  async (eventId: string): Promise<StoredEvent> => {
    const event = await events.find(eventId)
    if (!event) throw eventNotFound()
    return event
  }
export type FindEvent = ReturnType<typeof makeFindEvent>

/** Finds an event that the caller manages. Throws `notFound` also for one of somebody else. */
export const makeFindManagedEvent =
  (findEvent: FindEvent) =>
  async (eventId: string, principal: Principal): Promise<StoredEvent> => {
    const event = await findEvent(eventId)
    if (!canManage(event, principal)) throw eventNotFound()
    return event
  }
export type FindManagedEvent = ReturnType<typeof makeFindManagedEvent>
