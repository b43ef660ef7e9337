import { eventId as eventIdSchema, type EventSummary } from '@confetti/contracts'
import { gone, notFound } from '@confetti/service-kit'
import type { EventStore } from '../storage/event-store.ts'

interface Deps {
  events: EventStore
  askEvents: (eventId: string) => Promise<EventSummary | undefined>
}

/**
 * An event from our copy, or, if it is too new to be there, from its owner. Throws `notFound`, also for ids that
 * are none.
 */
export const makeFindEvent =
  ({ events, askEvents }: Deps) =>
  async (id: string): Promise<EventSummary> => {
    const eventId = eventIdSchema.safeParse(id.trim())
    const known = eventId.success ? await events.find(eventId.data) : undefined
    if (known) return known
    const asked = eventId.success ? await askEvents(eventId.data) : undefined
    if (!asked) throw notFound('Event not found.', { code: 'event_not_found' })
    await events.keep(asked)
    return asked
  }
export type FindEvent = ReturnType<typeof makeFindEvent>

/** As `FindEvent`, for guests: throws `gone` when the event takes no more uploads. */
export const makeFindOpenEvent =
  ({ findEvent, clock }: { findEvent: FindEvent; clock: () => Date }) =>
  async (id: string): Promise<EventSummary> => {
    const event = await findEvent(id)
    if (clock() >= new Date(event.uploadsCloseAt))
      throw gone('This event no longer takes uploads.', { code: 'event_closed' })
    return event
  }
export type FindOpenEvent = ReturnType<typeof makeFindOpenEvent>
