import { defineConsumer } from '@confetti/messaging'
import type { CopyEventDeps } from './event-created.ts'

export const eventChangedConsumer = ({ copyEvent }: CopyEventDeps) =>
  defineConsumer('notifications.event-changed', ({ data }) => copyEvent(data, data.revision))
