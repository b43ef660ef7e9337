import { Schema, type Connection } from 'mongoose'
import type { Session } from '../domain/session.ts'

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
export type SessionModel = ReturnType<typeof createSessionModel>
