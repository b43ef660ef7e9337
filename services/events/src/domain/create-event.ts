import type { Event, EventSettings, NewEvent } from '@confetti/contracts'
import type { Clock } from '@confetti/service-kit'
import type { EventStore } from './event.ts'
import { toFullView, type ViewSettings } from './event-views.ts'
import type { FindOrganiser } from './find-organiser.ts'
import { computeSchedule, type EventDefaults } from './schedule.ts'

interface Deps {
  events: Pick<EventStore, 'create'>
  findOrganiser: FindOrganiser
  clock: Clock
  defaults: EventDefaults
  /** The limits of new events. */
  newEventSettings: EventSettings
  viewSettings: ViewSettings
}

/** Creates an event and assigns it to its organiser. Throws `invalid` if the organiser does not exist. */
export const makeCreateEvent =
  ({ events, findOrganiser, clock, defaults, newEventSettings, viewSettings }: Deps) =>
  async ({ eventFor, ...fields }: NewEvent): Promise<Event> => {
    const organiser = await findOrganiser(eventFor)
    const now = clock()
    const planned = { ...fields, settings: newEventSettings }
    const event = await events.create({
      ...planned,
      ...computeSchedule(planned, defaults),
      organisers: [organiser],
      createdAt: now,
    })
    return toFullView(event, { ...viewSettings, now })
  }
export type CreateEvent = ReturnType<typeof makeCreateEvent>
