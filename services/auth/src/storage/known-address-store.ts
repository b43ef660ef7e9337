import { upsertWithRetry } from '@confetti/service-kit'
import type { KnownAddressStore } from '../domain/known-addresses.ts'
import type { KnownAddressModel } from './known-address-model.ts'

export const createKnownAddressStore = ({ model }: { model: KnownAddressModel }): KnownAddressStore => ({
  save: async (_id, userId, expiresAt) => {
    await upsertWithRetry(() => model.updateOne({ _id }, { $set: { userId, expiresAt } }, { upsert: true }))
  },

  has: async (hashes, now) =>
    (await model.exists({ _id: { $in: [...hashes] }, expiresAt: { $gt: now } })) !== null,

  removeOfUser: async (userId) => {
    await model.deleteMany({ userId })
  },

  removeExpired: async (now) => {
    await model.deleteMany({ expiresAt: { $lte: now } })
  },
})
