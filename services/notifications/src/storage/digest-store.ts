import { upsertWithRetry, type Clock } from '@confetti/service-kit'
import type { DigestStore } from '../domain/digest.ts'
import type { DigestDocument, DigestModel } from './digest-model.ts'

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
