import { upsertWithRetry } from '@confetti/service-kit'
import type { UserStore } from '../domain/user.ts'
import type { UserModel } from './user-model.ts'

export const createUserStore = ({ model }: { model: UserModel }): UserStore => ({
  find: async (id) => {
    const document = await model.findById(id).lean()
    return document ? { _id: document._id, email: document.email, role: document.role } : undefined
  },
  save: async ({ _id, email, role }) => {
    await upsertWithRetry(() => model.updateOne({ _id }, { $set: { email, role } }, { upsert: true }))
  },
})
