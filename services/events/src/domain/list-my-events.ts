import type { Event } from '@confetti/contracts'
import type { EventStore } from '../storage/event-store.ts'
import { fullView } from './event-views.ts'

interface Deps {
  events: EventStore
  clock: () => Date
  shellUrl: string
}

/** The events of one organiser, the latest first. */
export const makeListMyEvents =
  ({ events, clock, shellUrl }: Deps) =>
  async (organiserId: string): Promise<Event[]> => {
    const now = clock()
    const found = await events.listOf(organiserId)
    return found.map((event) => fullView(event, { now, shellUrl }))
  }
export type ListMyEvents = ReturnType<typeof makeListMyEvents>
