import { defineConsumer } from '@confetti/messaging'
import { toStoredEvent, type EventStore } from '../domain/event.ts'

export interface EventCreatedDeps {
  events: Pick<EventStore, 'save'>
}

export const eventCreatedConsumer = ({ events }: EventCreatedDeps) =>
  defineConsumer('uploads.event-created', ({ data }) => events.save(toStoredEvent(data)))
