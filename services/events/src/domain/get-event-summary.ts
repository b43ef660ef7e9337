import type { EventSummary } from '@confetti/contracts'
import { toSummary } from './event-views.ts'
import type { FindEvent } from './find-event.ts'

/** Gets an event as other services copy it. Throws `notFound`. */
export const makeGetEventSummary =
  ({ findEvent }: { findEvent: FindEvent }) =>
  async (eventId: string): Promise<EventSummary> =>
    toSummary(await findEvent(eventId))
export type GetEventSummary = ReturnType<typeof makeGetEventSummary>
