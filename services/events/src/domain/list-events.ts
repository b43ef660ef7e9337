import type { Event } from '@confetti/contracts'
import type { EventStore } from '../storage/event-store.ts'
import { dayIn, type Phase } from './calendar.ts'
import { fullView } from './event-views.ts'

interface Deps {
  events: EventStore
  clock: () => Date
  timeZone: string
  shellUrl: string
}

/** All events that are active, upcoming or past today. */
export const makeListEvents =
  ({ events, clock, timeZone, shellUrl }: Deps) =>
  async (phase: Phase): Promise<Event[]> => {
    const now = clock()
    const found = await events.listByPhase(phase, dayIn(timeZone, now))
    return found.map((event) => fullView(event, { now, shellUrl }))
  }
export type ListEvents = ReturnType<typeof makeListEvents>
