import { defineConsumer } from '@confetti/messaging'
import type { Clock } from '@confetti/service-kit'
import type { EventStore } from '../domain/event.ts'

export interface UploadDeletedDeps {
  events: Pick<EventStore, 'forgetUsage'>
  clock: Clock
}

export const uploadDeletedConsumer = ({ events, clock }: UploadDeletedDeps) =>
  // Not the message's time, which is before the deletion: a count between the two still has the upload.
  defineConsumer('events.upload-deleted', ({ data }) => events.forgetUsage(data.eventId, clock()))
