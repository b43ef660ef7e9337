import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection, type Types } from 'mongoose'
import type { UnsavedContact, UnsavedReply } from '../domain/contact.ts'

export interface ContactDocument extends OutboxFields, UnsavedContact {
  _id: Types.ObjectId
  /** Absent until there is one. */
  replies?: (UnsavedReply & { _id: Types.ObjectId })[]
}

export const createContactModel = (connection: Connection) => {
  const schema = new Schema<ContactDocument>({
    subject: { type: String, required: true },
    message: { type: String, required: true },
    createdAt: { type: Date, required: true },
    userEmail: { type: String, required: true },
    replies: {
      type: [
        new Schema({
          message: { type: String, required: true },
          createdAt: { type: Date, required: true },
          adminEmail: { type: String, required: true },
        }),
      ],
      default: undefined,
    },
  })
  schema.index({ createdAt: -1, _id: -1 })
  outboxPlugin(schema)
  return connection.model<ContactDocument>('Contact', schema)
}
export type ContactModel = ReturnType<typeof createContactModel>
