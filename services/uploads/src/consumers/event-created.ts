import { consumer } from '@confetti/messaging'
import type { EventStore } from '../storage/event-store.ts'

export const eventCreatedConsumer = ({ events }: { events: EventStore }) =>
  consumer('uploads.event-created', ({ data }) => events.keep(data))
