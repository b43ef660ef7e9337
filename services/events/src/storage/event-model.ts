import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection, type Types } from 'mongoose'

export interface EventDocument extends OutboxFields {
  _id: Types.ObjectId
  name: string
  description: string
  startDate: string
  endDate: string
  organiserId: string
  organiserEmail: string
  uploadsCloseAt: Date
  createdAt: Date
}

/** Dates are calendar days as text, yyyy-MM-dd: they sort as they stand, and no time zone can shift them. */
export const eventModel = (connection: Connection) => {
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
export type EventModel = ReturnType<typeof eventModel>
