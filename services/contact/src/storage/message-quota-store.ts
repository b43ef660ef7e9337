import { upsertWithRetry } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { MessageQuotaStore } from '../contacts/contacts.ts'

/** One document for each user who has sent a message. */
interface MessageQuotaDocument {
  /** The user's id. */
  _id: string
  sent: number
  endsAt: Date
}

const createMessageQuotaModel = (connection: Connection) => {
  const schema = new Schema<MessageQuotaDocument>({
    _id: { type: String, required: true },
    sent: { type: Number, required: true },
    endsAt: { type: Date, required: true },
  })
  return connection.model<MessageQuotaDocument>('MessageQuota', schema)
}
const HOUR_MS = 3_600_000

export const createMessageQuotaStore = (connection: Connection): MessageQuotaStore => {
  const model = createMessageQuotaModel(connection)
  const increment = (userId: string, now: Date) =>
    model
      .findOneAndUpdate(
        { _id: userId, endsAt: { $gt: now } },
        { $inc: { sent: 1 } },
        { returnDocument: 'after' },
      )
      .lean()

  const start = (userId: string, now: Date) =>
    model
      .findOneAndUpdate(
        { _id: userId, endsAt: { $lte: now } },
        { $set: { sent: 1, endsAt: new Date(now.getTime() + HOUR_MS) } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean()

  return {
    // A concurrent request may start the count first: then the upsert fails, and the repetition increments.
    count: (userId, now) =>
      upsertWithRetry(async () => (await increment(userId, now)) ?? (await start(userId, now))),

    remove: async (userId) => {
      await model.deleteOne({ _id: userId })
    },
  }
}
