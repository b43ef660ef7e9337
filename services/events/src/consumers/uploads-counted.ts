import { defineConsumer } from '@confetti/messaging'
import type { EventStore } from '../domain/event.ts'

export interface UploadsCountedDeps {
  events: Pick<EventStore, 'setUsage'>
}

export const uploadsCountedConsumer = ({ events }: UploadsCountedDeps) =>
  defineConsumer('events.uploads-counted', ({ data, time }) =>
    events.setUsage(data.eventId, { files: data.files, bytes: data.bytes, countedAt: new Date(time) }),
  )
