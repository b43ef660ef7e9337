import type { Event, NewEvent } from '@confetti/contracts'
import type { Clock } from '@confetti/service-kit'
import { getUploadsCloseAt } from './calendar.ts'
import type { EventStore } from './event.ts'
import { toFullView, type ViewSettings } from './event-views.ts'
import type { FindOrganiser } from './find-organiser.ts'

interface Deps {
  events: Pick<EventStore, 'create'>
  findOrganiser: FindOrganiser
  clock: Clock
  graceDays: number
  viewSettings: ViewSettings
}

/** Creates an event and assigns it to its organiser. Throws `invalid` if the organiser does not exist. */
export const makeCreateEvent =
  ({ events, findOrganiser, clock, graceDays, viewSettings }: Deps) =>
  async ({ eventFor, ...fields }: NewEvent): Promise<Event> => {
    const organiser = await findOrganiser(eventFor)
    const now = clock()
    const event = await events.create({
      ...fields,
      eventFor: { _id: organiser._id, email: organiser.email },
      uploadsCloseAt: getUploadsCloseAt(fields.endDate, graceDays, viewSettings.timeZone),
      createdAt: now,
    })
    return toFullView(event, { ...viewSettings, now })
  }
export type CreateEvent = ReturnType<typeof makeCreateEvent>
