import { defineConsumer } from '@confetti/messaging'
import type { EventStore } from '../domain/event.ts'

export interface UploadsErasedDeps {
  events: Pick<EventStore, 'removeDeleted'>
}

export const uploadsErasedConsumer = ({ events }: UploadsErasedDeps) =>
  defineConsumer('events.uploads-erased', ({ data }) => events.removeDeleted(data.eventId))
