import type { User } from '@confetti/contracts'
import { newMessage, newOutbox } from '@confetti/messaging'
import { isDuplicateKey } from '@confetti/service-kit'
import { Types } from 'mongoose'
import type { UserStore } from '../domain/user.ts'
import type { UserDocument, UserModel } from './user-model.ts'

const fields = { email: 1, role: 1 } as const

const toUser = ({ _id, email, role }: Pick<UserDocument, '_id' | 'email' | 'role'>): User => ({
  _id: _id.toHexString(),
  email,
  role,
})

/** `wakeRelay` is called when a message has been added to the outbox. */
export const createUserStore = ({
  model,
  wakeRelay,
}: {
  model: UserModel
  wakeRelay: () => void
}): UserStore => ({
  add: async (account) => {
    const _id = new Types.ObjectId()
    const user = toUser({ _id, ...account })
    const registered = newMessage('user.registered.v1', user)
    try {
      await model.create({ _id, ...account, createdAt: new Date(registered.time), ...newOutbox(registered) })
    } catch (error) {
      if (isDuplicateKey(error)) return undefined
      throw error
    }
    wakeRelay()
    return user
  },

  find: async (userId) => {
    const document = await model.findById(userId, fields).lean()
    return document ? toUser(document) : undefined
  },

  findByEmail: async (email) => {
    const document = await model.findOne({ email }, { ...fields, passwordHash: 1 }).lean()
    return document ? { user: toUser(document), passwordHash: document.passwordHash } : undefined
  },

  listOrganisers: async () => {
    const documents = await model.find({ role: 'user' }, fields).sort({ email: 1 }).lean()
    return documents.map(toUser)
  },
})
