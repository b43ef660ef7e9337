import type { EventSummary } from '@confetti/contracts'
import { notFound } from '@confetti/service-kit'
import { summaryOf, type EventStore } from '../storage/event-store.ts'

/** An event as other services keep it. Throws `notFound`. */
export const makeGetEventSummary =
  ({ events }: { events: EventStore }) =>
  async (eventId: string): Promise<EventSummary> => {
    const event = await events.find(eventId)
    if (!event) throw notFound('Event not found.', { code: 'event_not_found' })
    return summaryOf(event)
  }
export type GetEventSummary = ReturnType<typeof makeGetEventSummary>
