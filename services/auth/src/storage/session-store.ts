import type { SessionStore } from '../domain/session.ts'
import type { SessionModel } from './session-model.ts'

export const createSessionStore = ({ model }: { model: SessionModel }): SessionStore => ({
  add: async (session) => {
    await model.create(session)
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
})
