import type { Role } from '@confetti/contracts'
import { Schema, type Connection } from 'mongoose'

interface UserDocument {
  _id: string
  email: string
  role: Role
}

/** The local copy of accounts, updated by `user.registered` messages. */
export const createUserModel = (connection: Connection) =>
  connection.model<UserDocument>(
    'User',
    new Schema<UserDocument>({
      _id: String,
      email: { type: String, required: true },
      role: { type: String, required: true },
    }),
  )
export type UserModel = ReturnType<typeof createUserModel>
