import type { Event, EventSettings, NewEvent } from '@confetti/contracts'
import type { Clock } from '@confetti/service-kit'
import type { EventStore, StoredEvent } from './event.ts'
import { toFullView, type ViewSettings } from './event-views.ts'
import type { FindOrganiser } from './find-organiser.ts'
import type { DropErasedOrganisers } from './forget-user.ts'
import { computeSchedule, type EventDefaults } from './schedule.ts'

interface Deps {
  events: Pick<EventStore, 'create'>
  findOrganiser: FindOrganiser
  dropErasedOrganisers: DropErasedOrganisers
  clock: Clock
  defaults: EventDefaults
  /** The limits of new events. */
  newEventSettings: EventSettings
  viewSettings: ViewSettings
}

/** The schedule of a new event. One that ended long ago would be deleted at once: it is kept until an admin decides. */
const planSchedule = <T extends Pick<StoredEvent, 'endDate' | 'settings'>>(
  event: T,
  defaults: EventDefaults,
  now: Date,
) => {
  const schedule = computeSchedule(event, defaults)
  if (!schedule.deleteAt || schedule.deleteAt > now) return { ...event, ...schedule }
  const { keepDays: _, ...settings } = event.settings
  return { ...event, ...schedule, settings, deleteAt: undefined }
}

/** Creates an event and assigns it to its organiser. Throws `invalid` if the organiser does not exist. */
export const makeCreateEvent =
  ({ events, findOrganiser, dropErasedOrganisers, clock, defaults, newEventSettings, viewSettings }: Deps) =>
  async ({ eventFor, ...fields }: NewEvent): Promise<Event> => {
    const organiser = await findOrganiser(eventFor)
    const now = clock()
    const planned = planSchedule({ ...fields, settings: newEventSettings }, defaults, now)
    const event = await events.create({
      ...planned,
      organisers: [organiser],
      createdAt: now,
    })
    return toFullView(await dropErasedOrganisers(event), { ...viewSettings, now })
  }
export type CreateEvent = ReturnType<typeof makeCreateEvent>
