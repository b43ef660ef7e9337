import type { Event } from '@confetti/contracts'
import type { Clock } from '@confetti/service-kit'
import type { EventStore } from './event.ts'
import { toFullView, type ViewSettings } from './event-views.ts'

interface Deps {
  events: Pick<EventStore, 'listByOrganiser'>
  clock: Clock
  viewSettings: ViewSettings
}

/** Lists the events of an organiser, latest first. */
export const makeListMyEvents =
  ({ events, clock, viewSettings }: Deps) =>
  async (organiserId: string): Promise<Event[]> => {
    const now = clock()
    const stored = await events.listByOrganiser(organiserId)
    return stored.map((event) => toFullView(event, { ...viewSettings, now }))
  }
export type ListMyEvents = ReturnType<typeof makeListMyEvents>
