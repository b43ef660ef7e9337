import { pickDefined, saveCopy } from '@confetti/service-kit'
import type { User, UserStore } from '../domain/user.ts'
import type { UserDocument, UserModel } from './user-model.ts'

const toUser = (document: UserDocument): User =>
  pickDefined(document, ['_id', 'email', 'role', 'active', 'language'])

export const createUserStore = ({ model }: { model: UserModel }): UserStore => ({
  find: async (userId) => {
    const document = await model.findById(userId).lean<UserDocument>()
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
})
