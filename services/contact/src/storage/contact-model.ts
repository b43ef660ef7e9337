import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection, type Types } from 'mongoose'

export interface ContactDocument extends OutboxFields {
  _id: Types.ObjectId
  subject: string
  message: string
  createdAt: Date
  userEmail: string
}

/** The messages to the admins, and with them the facts about them that are still to be told. */
export const contactModel = (connection: Connection) => {
  const schema = new Schema<ContactDocument>({
    subject: { type: String, required: true },
    message: { type: String, required: true },
    createdAt: { type: Date, required: true },
    userEmail: { type: String, required: true },
  })
  schema.index({ createdAt: -1, _id: -1 })
  outboxPlugin(schema)
  return connection.model<ContactDocument>('Contact', schema)
}
export type ContactModel = ReturnType<typeof contactModel>
