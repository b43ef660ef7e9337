import type { Role } from '@confetti/contracts'
import { pickDefined, saveCopy, type ErasedIds } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { StoredUser, UserStore } from '../accounts/accounts.ts'

interface UserDocument {
  _id: string
  email: string
  role: Role
  active: boolean
  revision: number
}

/** The local copy of accounts, updated by `user.*` messages. */
const createUserModel = (connection: Connection) =>
  connection.model<UserDocument>(
    'User',
    new Schema<UserDocument>({
      _id: String,
      email: { type: String, required: true },
      role: { type: String, required: true },
      active: { type: Boolean, required: true },
      revision: { type: Number, required: true },
    }),
  )
const toUser = (document: UserDocument): StoredUser =>
  pickDefined(document, ['_id', 'email', 'role', 'active', 'revision'])

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

    save: async ({ _id, revision, ...user }) => {
      const isSaved = await saveCopy(model, _id, revision, { $set: user })
      if (!(await erasedIds.has(_id))) return isSaved
      await remove(_id)
      return false
    },

    isErased: (id) => erasedIds.has(id),

    erase: async (id) => {
      await erasedIds.add(id)
      await remove(id)
    },
  }
}
