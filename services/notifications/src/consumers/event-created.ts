import { defineConsumer } from '@confetti/messaging'
import { FIRST_REVISION, type CopyEvent } from '../domain/copy-records.ts'

export interface CopyEventDeps {
  copyEvent: CopyEvent
}

export const eventCreatedConsumer = ({ copyEvent }: CopyEventDeps) =>
  defineConsumer('notifications.event-created', ({ data }) => copyEvent(data, FIRST_REVISION))
