import { upsertWithRetry, type Clock } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { DigestStore } from '../digests/stores.ts'

interface DigestDocument {
  /** The event's id. */
  _id: string
  dueAt: Date
  leaseUntil: Date
}

export const createDigestModel = (connection: Connection) => {
  const schema = new Schema<DigestDocument>({
    _id: { type: String, required: true },
    dueAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
  })
  schema.index({ dueAt: 1 })
  return connection.model<DigestDocument>('Digest', schema)
}
type DigestModel = ReturnType<typeof createDigestModel>

const QUERY_TIMEOUT_MS = 2_000

export const createDigestStore = ({ model, clock }: { model: DigestModel; clock: Clock }): DigestStore => ({
  plan: async (eventId, dueAt) => {
    const digest = await upsertWithRetry(() =>
      model
        .findOneAndUpdate(
          { _id: eventId },
          { $setOnInsert: { dueAt, leaseUntil: new Date(0) } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<DigestDocument>()
        .orFail(),
    )
    return digest.dueAt
  },

  leaseDue: async (leaseMs) => {
    const now = clock()
    const digest = await model
      .findOneAndUpdate(
        { dueAt: { $lte: now }, leaseUntil: { $lte: now } },
        { $set: { leaseUntil: new Date(now.getTime() + leaseMs) } },
        { returnDocument: 'after' },
      )
      .lean<DigestDocument>()
    return digest ? { eventId: digest._id, dueAt: digest.dueAt } : undefined
  },

  finish: async ({ eventId, dueAt }) => {
    await model.deleteOne({ _id: eventId, dueAt })
  },

  removeOfEvent: async (eventId) => {
    await model.deleteOne({ _id: eventId })
  },

  oldestDue: async () => {
    const [first] = await model
      .find({ dueAt: { $lte: clock() } })
      .sort({ dueAt: 1 })
      .limit(1)
      .maxTimeMS(QUERY_TIMEOUT_MS)
      .lean<DigestDocument[]>()
    return first?.dueAt
  },
})
