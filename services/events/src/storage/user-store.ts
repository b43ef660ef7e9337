import { saveCopy, type ErasedIds } from '@confetti/service-kit'
import type { StoredUser, UserStore } from '../domain/user.ts'
import type { UserModel } from './user-model.ts'

type StoredCopy = Omit<StoredUser, 'active' | 'revision'> & Partial<StoredUser>
const toUser = ({ _id, email, role, active = true, revision = 0 }: StoredCopy): StoredUser => ({
  _id,
  email,
  role,
  active,
  revision,
})

export const createUserStore = ({
  model,
  erasedIds,
}: {
  model: UserModel
  erasedIds: ErasedIds
}): UserStore => {
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
