import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection, type Types } from 'mongoose'
import type { StoredEvent } from '../domain/event.ts'

export interface EventDocument extends OutboxFields, Omit<StoredEvent, '_id' | 'eventFor'> {
  _id: Types.ObjectId
  organiserId: string
  organiserEmail: string
}

/** Dates are calendar days as text, yyyy-MM-dd: they can be compared as text, and no time zone can shift them. */
export const createEventModel = (connection: Connection) => {
  const schema = new Schema<EventDocument>({
    name: { type: String, required: true },
    description: { type: String, default: '' },
    startDate: { type: String, required: true },
    endDate: { type: String, required: true },
    organiserId: { type: String, required: true },
    organiserEmail: { type: String, required: true },
    uploadsCloseAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
  })
    .index({ startDate: 1, endDate: 1 })
    .index({ organiserId: 1, startDate: -1 })
  outboxPlugin(schema)
  return connection.model<EventDocument>('Event', schema)
}
export type EventModel = ReturnType<typeof createEventModel>
