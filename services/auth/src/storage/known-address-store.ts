import { upsertWithRetry } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { KnownAddressStore } from '../sessions/known-addresses.ts'

interface KnownAddressDocument {
  /** A keyed hash of the account and the IP address. */
  _id: string
  userId: string
  expiresAt: Date
}

export const createKnownAddressModel = (connection: Connection) =>
  connection.model<KnownAddressDocument>(
    'KnownAddress',
    new Schema<KnownAddressDocument>({
      _id: { type: String, required: true },
      userId: { type: String, required: true, index: true },
      expiresAt: { type: Date, required: true, index: true },
    }),
  )
type KnownAddressModel = ReturnType<typeof createKnownAddressModel>

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
