import { Schema, type Connection } from 'mongoose'

/** One document for each user who has sent a message. */
interface MessageQuotaDocument {
  /** The user's id. */
  _id: string
  sent: number
  endsAt: Date
}

export const createMessageQuotaModel = (connection: Connection) => {
  const schema = new Schema<MessageQuotaDocument>({
    _id: { type: String, required: true },
    sent: { type: Number, required: true },
    endsAt: { type: Date, required: true },
  })
  return connection.model<MessageQuotaDocument>('MessageQuota', schema)
}
export type MessageQuotaModel = ReturnType<typeof createMessageQuotaModel>
