import { upsertWithRetry } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { Session, SessionStore } from '../sessions/session.ts'
import type { KnownAddressStore } from '../sessions/sign-in-throttle.ts'

/** Bounds a sign-in to an account that has many more sessions than it may have. */
const MAX_ENDED_AT_ONCE = 1_000

interface KnownAddressDocument {
  /** A keyed hash of the account and the IP address. */
  _id: string
  userId: string
  expiresAt: Date
}

const createKnownAddressModel = (connection: Connection) =>
  connection.model<KnownAddressDocument>(
    'KnownAddress',
    new Schema<KnownAddressDocument>({
      _id: { type: String, required: true },
      userId: { type: String, required: true, index: true },
      expiresAt: { type: Date, required: true, index: true },
    }),
  )

/** Creates the store in a database, and its indexes. */
export const createKnownAddressStore = async (connection: Connection): Promise<KnownAddressStore> => {
  const model = createKnownAddressModel(connection)
  await model.createIndexes()
  return {
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
  }
}

const createSessionModel = (connection: Connection) => {
  const schema = new Schema<Session>({
    _id: { type: String, required: true },
    userId: { type: String, required: true, index: true },
    accountRevision: { type: Number, required: true },
    currentHash: { type: String, required: true },
    salt: { type: String, required: true },
    previousHash: String,
    previousSalt: String,
    rotatedAt: Date,
    expiresAt: { type: Date, required: true, index: true },
  })
  return connection.model<Session>('Session', schema)
}

/** Creates the store in a database, and its indexes. */
export const createSessionStore = async (connection: Connection): Promise<SessionStore> => {
  const model = createSessionModel(connection)
  await model.createIndexes()
  return {
    add: async (session, limit) => {
      await model.create(session)
      const { _id, userId } = session
      // What the clock of another replica makes look newer does not end the session that has just started.
      const old = await model
        .find({ userId, _id: { $ne: _id } }, { _id: 1 })
        .sort({ expiresAt: -1, _id: 1 })
        .skip(limit - 1)
        .limit(MAX_ENDED_AT_ONCE)
        .lean()
      if (old.length > 0) await model.deleteMany({ _id: { $in: old.map((each) => each._id) } })
    },

    find: async (sessionId) => (await model.findById(sessionId).lean()) ?? undefined,

    rotate: async ({ _id, currentHash, salt }, rotation) => {
      const { matchedCount } = await model.updateOne(
        { _id, currentHash },
        { $set: { ...rotation, previousHash: currentHash, previousSalt: salt } },
      )
      return matchedCount === 1
    },

    revoke: async (sessionId) => {
      await model.deleteOne({ _id: sessionId })
    },

    revokeAll: async (userId) => {
      await model.deleteMany({ userId })
    },

    removeExpired: async (time) => {
      const { deletedCount } = await model.deleteMany({ expiresAt: { $lte: time } })
      return deletedCount
    },
  }
}
