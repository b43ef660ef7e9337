import { eventDetailFields, type EventDetails, type EventSettings } from '@confetti/contracts'
import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection, type Types } from 'mongoose'
import type { EventUsage, Organiser } from '../domain/event.ts'

export interface EventDocument extends OutboxFields, EventDetails {
  _id: Types.ObjectId
  /** The first organiser; null if there is none. */
  organiserId: string | null
  organiserEmail: string | null
  /** All organisers. Absent in events written before version 0.2. */
  organisers?: Organiser[]
  /** Absent in events written before version 0.2. */
  settings?: EventSettings
  uploadsCloseAt: Date
  /** Absent or null: never. */
  deleteAt?: Date | null
  createdAt: Date
  /** Absent until guests have sent something to an event with a limit. */
  usage?: EventUsage
  /** Absent or null: there is no live wall. */
  wallKeyHash?: string | null
  /** Absent in events written before version 0.2. */
  revision?: number
  /** Set when the event was deleted: nothing else but its id and outbox is left. */
  deletedAt?: Date
  /** When `event.deleted` was last written. */
  erasureRequestedAt?: Date
}

/**
 * Dates are calendar days as text, yyyy-MM-dd: they can be compared as text, and no time zone can shift them. The contract
 * validates the fields that an admin enters.
 */
export const createEventModel = (connection: Connection) => {
  const schema = new Schema<EventDocument>({
    ...Object.fromEntries(eventDetailFields.map((field) => [field, Schema.Types.Mixed])),
    organiserId: String,
    organiserEmail: String,
    organisers: { type: [{ _id: String, email: String }], default: undefined },
    settings: { type: Object, default: undefined },
    uploadsCloseAt: { type: Date, required: true },
    deleteAt: Date,
    createdAt: { type: Date, required: true },
    usage: { type: { files: Number, bytes: Number, countedAt: Date }, default: undefined, _id: false },
    wallKeyHash: String,
    revision: Number,
    deletedAt: Date,
    erasureRequestedAt: Date,
  })
    .index({ startDate: 1, endDate: 1 })
    .index({ deleteAt: 1 })
    .index({ deletedAt: 1 })
    .index({ erasureRequestedAt: 1 })
    .index({ organiserId: 1, startDate: -1 })
    .index({ 'organisers._id': 1, startDate: -1 })
  outboxPlugin(schema)
  return connection.model<EventDocument>('Event', schema)
}
export type EventModel = ReturnType<typeof createEventModel>
