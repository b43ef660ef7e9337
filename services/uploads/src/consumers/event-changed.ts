import { defineConsumer } from '@confetti/messaging'
import { toStoredEvent, type EventStore } from '../domain/event.ts'

export interface EventChangedDeps {
  events: Pick<EventStore, 'save'>
}

export const eventChangedConsumer = ({ events }: EventChangedDeps) =>
  defineConsumer('uploads.event-changed', ({ data }) => events.save(toStoredEvent(data)))
