import { Schema, type Connection } from 'mongoose'

export interface EventDocument {
  _id: string
  name?: string
  timeZone?: string
  organisers: string[]
  deleteAt?: Date
  /** When the next notice of the deletion is due. */
  noticeDueAt?: Date
  revision: number
}

/** The local copy of events, updated by `event.*` messages. */
export const createEventModel = (connection: Connection) => {
  const schema = new Schema<EventDocument>({
    _id: { type: String, required: true },
    name: { type: String },
    timeZone: { type: String },
    organisers: { type: [String], required: true },
    deleteAt: { type: Date },
    noticeDueAt: { type: Date },
    revision: { type: Number, required: true },
  })
  schema.index({ noticeDueAt: 1 })
  return connection.model<EventDocument>('Event', schema)
}
export type EventModel = ReturnType<typeof createEventModel>
