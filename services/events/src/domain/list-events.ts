import type { Event } from '@confetti/contracts'
import type { Clock } from '@confetti/service-kit'
import { getCalendarDay, type Phase } from './calendar.ts'
import type { EventStore } from './event.ts'
import { toFullView, type ViewSettings } from './event-views.ts'

interface Deps {
  events: Pick<EventStore, 'listByPhase'>
  clock: Clock
  viewSettings: ViewSettings
}

/** Lists the events that are active, upcoming or past today. */
export const makeListEvents =
  ({ events, clock, viewSettings }: Deps) =>
  async (phase: Phase): Promise<Event[]> => {
    const now = clock()
    const stored = await events.listByPhase(phase, getCalendarDay(viewSettings.timeZone, now))
    return stored.map((event) => toFullView(event, { ...viewSettings, now }))
  }
export type ListEvents = ReturnType<typeof makeListEvents>
