import { upsertWithRetry } from '@confetti/service-kit'
import type { MessageQuotaStore } from '../domain/message-quota.ts'
import type { MessageQuotaModel } from './message-quota-model.ts'

const HOUR_MS = 3_600_000

export const createMessageQuotaStore = ({ model }: { model: MessageQuotaModel }): MessageQuotaStore => {
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
