import type { Role } from '@confetti/contracts'
import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection, type Types } from 'mongoose'

export interface UserDocument extends OutboxFields {
  _id: Types.ObjectId
  email: string
  role: Role
  passwordHash: string
  createdAt: Date
}

export const createUserModel = (connection: Connection) => {
  const schema = new Schema<UserDocument>({
    email: { type: String, required: true, unique: true },
    role: { type: String, required: true, enum: ['user', 'admin'] },
    passwordHash: { type: String, required: true },
    createdAt: { type: Date, required: true },
  })
  schema.index({ role: 1, email: 1 })
  outboxPlugin(schema)
  return connection.model<UserDocument>('User', schema)
}
export type UserModel = ReturnType<typeof createUserModel>
