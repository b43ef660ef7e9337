import type { EventCopy } from '@confetti/service-kit'
import { audienceOf } from './event.ts'
import type { EventCache } from './event-cache.ts'
import { eventChanged } from './live-change.ts'
import type { Streams } from './streams.ts'

interface Deps {
  streams: Streams
  events: EventCache
}

/** Ends the streams that a change of their event excludes, and sends the change to the others. */
export const makeChangeEvent =
  ({ streams, events }: Deps) =>
  (event: EventCopy, message: { id: string; time: string }): void => {
    if (!events.save(event)) return
    for (const stream of streams.ofEvent(event._id))
      if (audienceOf(event, stream.credentials) !== stream.audience) stream.end('unauthorized')
    streams.send(event._id, eventChanged, message)
  }
export type ChangeEvent = ReturnType<typeof makeChangeEvent>

/** Ends all streams of an event that has been deleted. */
export const makeDeleteEvent =
  ({ streams, events }: Deps) =>
  (eventId: string): void => {
    events.markDeleted(eventId)
    for (const stream of streams.ofEvent(eventId)) stream.end('unauthorized')
  }
export type DeleteEvent = ReturnType<typeof makeDeleteEvent>
