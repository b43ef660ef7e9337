import { upsertWithRetry } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { ErasedTags } from '../erasure/uncompleted.ts'

interface ErasedTagDocument {
  /** The tag that ids of the event's uploads have: the id of the event cannot be read from it. */
  _id: string
  linksExpireAt: Date
}

// They are kept for about an hour. What exceeds this is removed as orphans, later.
const MAX_LISTED = 10_000

export const createErasedTags = (connection: Connection): ErasedTags => {
  const model = connection.model<ErasedTagDocument>(
    'ErasedTag',
    new Schema<ErasedTagDocument>({ _id: String, linksExpireAt: { type: Date, required: true } }),
  )
  return {
    add: async (tag, linksExpireAt) => {
      await upsertWithRetry(() =>
        model.updateOne({ _id: tag }, { $set: { linksExpireAt } }, { upsert: true }),
      )
    },
    list: async () => (await model.find().limit(MAX_LISTED).lean()).map(({ _id }) => _id),
    removeExpired: async (before) => {
      await model.deleteMany({ linksExpireAt: { $lt: before } })
    },
  }
}
