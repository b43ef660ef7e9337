import type { User } from '@confetti/contracts'
import { upserting } from '@confetti/service-kit'
import type { UserModel } from './user-model.ts'

export const createUserStore = (model: UserModel) => ({
  find: async (id: string): Promise<User | undefined> => {
    const document = await model.findById(id).lean()
    return document ? { _id: document._id, email: document.email, role: document.role } : undefined
  },
  /** Adds the account to our copy, or renews it. */
  keep: async ({ _id, email, role }: User): Promise<void> => {
    await upserting(() => model.updateOne({ _id }, { $set: { email, role } }, { upsert: true }))
  },
})
export type UserStore = ReturnType<typeof createUserStore>
