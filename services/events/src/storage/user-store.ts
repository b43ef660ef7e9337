import type { Role } from '@confetti/contracts'
import { saveCopy, type ErasedIds } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { StoredUser, UserStore } from '../accounts/accounts.ts'

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
const createUserModel = (connection: Connection) =>
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
type StoredCopy = Omit<StoredUser, 'active' | 'revision'> & Partial<StoredUser>
const toUser = ({ _id, email, role, active = true, revision = 0 }: StoredCopy): StoredUser => ({
  _id,
  email,
  role,
  active,
  revision,
})

/** Creates the store in a database, and its indexes. */
export const createUserStore = async (connection: Connection, erasedIds: ErasedIds): Promise<UserStore> => {
  const model = createUserModel(connection)
  await model.createIndexes()
  const remove = (id: string) => model.deleteOne({ _id: id })
  return {
    find: async (id) => {
      const document = await model.findById(id).lean()
      return document ? toUser(document) : undefined
    },

    findByEmail: async (email) => {
      const document = await model.findOne({ email }).lean()
      return document ? toUser(document) : undefined
    },

    save: async ({ _id, revision, ...user }) => {
      await saveCopy(model, _id, revision, { $set: user })
      if (await erasedIds.has(_id)) await remove(_id)
    },

    isErased: (id) => erasedIds.has(id),

    erase: async (id) => {
      await erasedIds.add(id)
      await remove(id)
    },
  }
}
