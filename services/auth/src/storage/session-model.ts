import { Schema, type Connection } from 'mongoose'

/** One sign-in and the refresh tokens that follow from it, of which only the latest counts. */
export interface SessionDocument {
  _id: string
  userId: string
  currentHash: string
  /** What the successor of the current token will be made with. */
  salt: string
  /** Of the token before the current one, and what its successor was made with. */
  previousHash?: string
  previousSalt?: string
  rotatedAt?: Date
  expiresAt: Date
}

export const sessionModel = (connection: Connection) => {
  const schema = new Schema<SessionDocument>({
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    currentHash: { type: String, required: true },
    salt: { type: String, required: true },
    previousHash: String,
    previousSalt: String,
    rotatedAt: Date,
    expiresAt: { type: Date, required: true, index: true },
  })
  return connection.model<SessionDocument>('Session', schema)
}
export type SessionModel = ReturnType<typeof sessionModel>
