import type { Clock } from '@confetti/service-kit'
import type { EventStore } from './event.ts'
import { eventNotFound } from './find-event.ts'

interface Deps {
  events: Pick<EventStore, 'markDeleted'>
  clock: Clock
}

/** Deletes an event: it is gone at once, and other services erase what they have of it. Throws `notFound`. */
export const makeDeleteEvent =
  ({ events, clock }: Deps) =>
  async (eventId: string): Promise<void> => {
    if (!(await events.markDeleted(eventId, clock()))) throw eventNotFound()
  }
export type DeleteEvent = ReturnType<typeof makeDeleteEvent>
