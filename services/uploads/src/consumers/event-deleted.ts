import { defineConsumer } from '@confetti/messaging'
import type { EraseEvent } from '../domain/erase-event.ts'

export interface EventDeletedDeps {
  eraseEvent: EraseEvent
}

export const eventDeletedConsumer = ({ eraseEvent }: EventDeletedDeps) =>
  // Several at once: each waits most of its time.
  defineConsumer('uploads.event-deleted', ({ data }) => eraseEvent(data._id), { prefetch: 4 })
