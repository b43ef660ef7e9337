import type { Role } from '@confetti/contracts'
import { pickDefined, saveCopy } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { User, UserStore } from '../recipients/recipients.ts'

interface UserDocument {
  _id: string
  email: string
  role: Role
  active: boolean
  language?: string
  revision: number
}

/** The local copy of accounts, updated by `user.*` messages. */
const createUserModel = async (connection: Connection) => {
  const schema = new Schema<UserDocument>({
    _id: { type: String, required: true },
    email: { type: String, required: true },
    role: { type: String, required: true },
    active: { type: Boolean, required: true },
    language: { type: String },
    revision: { type: Number, required: true },
  })
  schema.index({ role: 1, active: 1 })
  schema.index({ email: 1 })
  const model = connection.model<UserDocument>('User', schema)
  await model.createIndexes()
  return model
}

const toUser = (document: UserDocument): User =>
  pickDefined(document, ['_id', 'email', 'role', 'active', 'language'])

/** Creates the store in a database, and its indexes. */
export const createUserStore = async (connection: Connection): Promise<UserStore> => {
  const model = await createUserModel(connection)
  return {
    find: async (userId) => {
      const document = await model.findById(userId).lean<UserDocument>()
      return document ? toUser(document) : undefined
    },
    findByEmail: async (email) => {
      const document = await model.findOne({ email }).lean<UserDocument>()
      return document ? toUser(document) : undefined
    },
    save: ({ _id, ...user }, revision) => saveCopy(model, _id, revision, { $set: user }),
    remove: async (userId) => {
      await model.deleteOne({ _id: userId })
    },
    listActiveAdmins: async (limit) => {
      const admins = await model
        .find({ role: 'admin', active: true })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<UserDocument[]>()
      return admins.map(toUser)
    },
  }
}
