import type { Event } from '@confetti/contracts'
import type { Clock } from '@confetti/service-kit'
import { getCalendarDay, getCalendarDays, getPhase, type Phase } from './calendar.ts'
import type { EventStore, StoredEvent } from './event.ts'
import { toFullView, type ViewSettings } from './event-views.ts'
import { timeZoneOf } from './schedule.ts'

interface Deps {
  events: Pick<EventStore, 'listByPhase'>
  clock: Clock
  viewSettings: ViewSettings
}

/** Lists the events that are active, upcoming or past today, each in its own time zone. */
export const makeListEvents =
  ({ events, clock, viewSettings }: Deps) =>
  async (phase: Phase): Promise<Event[]> => {
    const now = clock()
    const todayOf = ({ settings }: StoredEvent) => getCalendarDay(timeZoneOf(settings, viewSettings), now)
    const candidates = await events.listByPhase(phase, getCalendarDays(now))
    return candidates
      .filter((event) => getPhase(event, todayOf(event)) === phase)
      .map((event) => toFullView(event, { ...viewSettings, now }))
  }
export type ListEvents = ReturnType<typeof makeListEvents>
