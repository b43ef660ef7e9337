import { Schema, type Connection } from 'mongoose'
import type { Session, SessionStore } from '../sessions/session.ts'

export const createSessionModel = (connection: Connection) => {
  const schema = new Schema<Session>({
    _id: { type: String, required: true },
    userId: { type: String, required: true, index: true },
    accountRevision: Number,
    currentHash: { type: String, required: true },
    salt: { type: String, required: true },
    previousHash: String,
    previousSalt: String,
    rotatedAt: Date,
    expiresAt: { type: Date, required: true, index: true },
  })
  return connection.model<Session>('Session', schema)
}
type SessionModel = ReturnType<typeof createSessionModel>

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
