import type { Event, NewEvent } from '@confetti/contracts'
import type { EventStore } from '../storage/event-store.ts'
import { closingTime } from './calendar.ts'
import { fullView } from './event-views.ts'
import type { FindOrganiser } from './find-organiser.ts'

interface Deps {
  events: EventStore
  findOrganiser: FindOrganiser
  clock: () => Date
  timeZone: string
  graceDays: number
  shellUrl: string
}

/** Makes an event for its organiser. Throws `invalid` when the organiser does not exist. */
export const makeCreateEvent =
  ({ events, findOrganiser, clock, timeZone, graceDays, shellUrl }: Deps) =>
  async ({ eventFor, ...fields }: NewEvent): Promise<Event> => {
    const organiser = await findOrganiser(eventFor)
    const now = clock()
    const event = await events.create({
      ...fields,
      eventFor: { _id: organiser._id, email: organiser.email },
      uploadsCloseAt: closingTime(fields.endDate, graceDays, timeZone),
      createdAt: now,
    })
    return fullView(event, { now, shellUrl })
  }
export type CreateEvent = ReturnType<typeof makeCreateEvent>
