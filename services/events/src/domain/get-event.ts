import type { Event, GuestEvent } from '@confetti/contracts'
import { notFound, type Principal } from '@confetti/service-kit'
import type { EventStore, StoredEvent } from '../storage/event-store.ts'
import { fullView, guestView } from './event-views.ts'

interface Deps {
  events: EventStore
  clock: () => Date
  shellUrl: string
}

/** Admins and the event's organiser may see and do everything with it. */
export const mayManage = (event: StoredEvent, principal: Principal | undefined): boolean =>
  principal?.role === 'admin' || event.eventFor._id === principal?.userId

/** An event as the caller may see it. Throws `notFound`. */
export const makeGetEvent =
  ({ events, clock, shellUrl }: Deps) =>
  async (eventId: string, principal: Principal | undefined): Promise<Event | GuestEvent> => {
    const event = await events.find(eventId)
    if (!event) throw notFound('Event not found.', { code: 'event_not_found' })
    const now = clock()
    return mayManage(event, principal) ? fullView(event, { now, shellUrl }) : guestView(event, now)
  }
export type GetEvent = ReturnType<typeof makeGetEvent>
