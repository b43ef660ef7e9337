import type { Event } from '@confetti/contracts'
import type { Clock } from '@confetti/service-kit'
import { getCalendarDay, type Phase } from './calendar.ts'
import type { EventStore } from './event.ts'
import { toFullView } from './event-views.ts'

interface Deps {
  events: Pick<EventStore, 'listByPhase'>
  clock: Clock
  timeZone: string
  shellUrl: string
  maxFileBytes: number
}

/** Lists the events that are active, upcoming or past today. */
export const makeListEvents =
  ({ events, clock, timeZone, shellUrl, maxFileBytes }: Deps) =>
  async (phase: Phase): Promise<Event[]> => {
    const now = clock()
    const stored = await events.listByPhase(phase, getCalendarDay(timeZone, now))
    return stored.map((event) => toFullView(event, { now, timeZone, shellUrl, maxFileBytes }))
  }
export type ListEvents = ReturnType<typeof makeListEvents>
