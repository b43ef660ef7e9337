import { defineConsumer } from '@confetti/messaging'
import type { EraseEvent } from '../domain/erase.ts'

export interface EventDeletedDeps {
  eraseEvent: EraseEvent
}

export const eventDeletedConsumer = ({ eraseEvent }: EventDeletedDeps) =>
  defineConsumer('notifications.event-deleted', ({ data }) => eraseEvent(data._id))
