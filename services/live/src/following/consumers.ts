import type { Subscription } from '@confetti/messaging'
import type { Deps } from '../deps.ts'
import type { Following } from './following.ts'
import { toLiveChange, type UploadMessage } from './recent-events.ts'

/** What this service receives, in a queue of each replica. */
export const followingSubscription = (
  { streams, events, metrics }: Deps,
  following: Following,
): Subscription => {
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
        following.changeEvent(message.data, message)
      },
      'event.deleted.v1': ({ type, data }) => {
        metrics.received(type)
        following.deleteEvent(data._id)
      },
    },
    onGap: () => {
      // A change that excludes a stream may be among the messages that are missing.
      events.clear()
      streams.reset()
      void following.recheckStreams()
    },
  }
}
