import type { EventSummary } from '@confetti/contracts'
import { toSummary } from './event-views.ts'
import type { FindEvent } from './find-event.ts'
import type { EventDefaults } from './schedule.ts'

interface Deps {
  findEvent: FindEvent
  defaults: Pick<EventDefaults, 'timeZone'>
}

/** Gets an event as other services copy it. Throws `notFound`. */
export const makeGetEventSummary =
  ({ findEvent, defaults }: Deps) =>
  async (eventId: string): Promise<EventSummary> =>
    toSummary(await findEvent(eventId), defaults)
export type GetEventSummary = ReturnType<typeof makeGetEventSummary>
