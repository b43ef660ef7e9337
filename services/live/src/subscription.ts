import type { Subscription } from '@confetti/messaging'
import { toEventCopy } from '@confetti/service-kit'
import type { ChangeEvent, DeleteEvent } from './domain/change-event.ts'
import type { EventCache } from './domain/event-cache.ts'
import { toLiveChange, type UploadMessage } from './domain/live-change.ts'
import type { RecheckStreams } from './domain/recheck-streams.ts'
import type { Streams } from './domain/streams.ts'
import type { LiveMetrics } from './live-metrics.ts'

interface Deps {
  streams: Streams
  events: EventCache
  changeEvent: ChangeEvent
  deleteEvent: DeleteEvent
  recheckStreams: RecheckStreams
  metrics: LiveMetrics
}

/** What this service receives, in a queue of each replica. */
export const createSubscription = ({
  streams,
  events,
  changeEvent,
  deleteEvent,
  recheckStreams,
  metrics,
}: Deps): Subscription => {
  const sendChange = (message: UploadMessage): void => {
    metrics.received(message.type)
    streams.send(message.data.eventId, toLiveChange(message), message)
  }
  return {
    handlers: {
      'upload.completed.v1': sendChange,
      'upload.changed.v1': sendChange,
      'upload.deleted.v1': sendChange,
      'event.changed.v1': (message) => {
        metrics.received(message.type)
        changeEvent(toEventCopy(message.data), message)
      },
      'event.deleted.v1': ({ type, data }) => {
        metrics.received(type)
        deleteEvent(data._id)
      },
    },
    onGap: () => {
      // A change that excludes a stream may be among the messages that are missing.
      events.clear()
      streams.reset()
      void recheckStreams()
    },
  }
}
