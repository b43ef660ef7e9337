import type { Role } from '@confetti/contracts'
import { Schema, type Connection } from 'mongoose'

export interface UserDocument {
  _id: string
  email: string
  role: Role
  active: boolean
  language?: string
  revision: number
}

/** The local copy of accounts, updated by `user.*` messages. */
export const createUserModel = (connection: Connection) => {
  const schema = new Schema<UserDocument>({
    _id: { type: String, required: true },
    email: { type: String, required: true },
    role: { type: String, required: true },
    active: { type: Boolean, required: true },
    language: { type: String },
    revision: { type: Number, required: true },
  })
  schema.index({ role: 1, active: 1 })
  return connection.model<UserDocument>('User', schema)
}
export type UserModel = ReturnType<typeof createUserModel>
