import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection, type Types } from 'mongoose'
import type { UnsavedContact, UnsavedReply } from '../domain/contact.ts'

export interface ContactDocument extends OutboxFields, Omit<UnsavedContact, 'userId'> {
  _id: Types.ObjectId
  /** Absent in messages written before version 0.2. */
  userId?: string
  /** Absent until there is one. */
  replies?: (UnsavedReply & { _id: Types.ObjectId })[]
}

export const createContactModel = (connection: Connection) => {
  const schema = new Schema<ContactDocument>({
    subject: { type: String, required: true },
    message: { type: String, required: true },
    createdAt: { type: Date, required: true },
    userId: String,
    userEmail: { type: String, required: true },
    replies: {
      type: [
        new Schema({
          message: { type: String, required: true },
          createdAt: { type: Date, required: true },
          adminId: { type: String, required: true },
          adminEmail: String,
        }),
      ],
      default: undefined,
    },
  })
  schema.index({ createdAt: -1, _id: -1 })
  schema.index({ userId: 1 })
  schema.index({ userEmail: 1 })
  schema.index({ 'replies.adminId': 1 })
  outboxPlugin(schema)
  return connection.model<ContactDocument>('Contact', schema)
}
export type ContactModel = ReturnType<typeof createContactModel>
