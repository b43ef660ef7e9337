import type { Role } from '@confetti/contracts'
import { Schema, type Connection } from 'mongoose'

interface UserDocument {
  _id: string
  email: string
  role: Role
  /** Absent in copies written before version 0.2: it is active. */
  active?: boolean
  /** Absent in copies written before version 0.2. */
  revision?: number
}

/** The local copy of accounts, updated by `user.*` messages. */
export const createUserModel = (connection: Connection) =>
  connection.model<UserDocument>(
    'User',
    new Schema<UserDocument>({
      _id: String,
      email: { type: String, required: true },
      role: { type: String, required: true },
      active: Boolean,
      revision: Number,
    }).index({ email: 1 }),
  )
export type UserModel = ReturnType<typeof createUserModel>
