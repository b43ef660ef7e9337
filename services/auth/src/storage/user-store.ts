import type { User } from '@confetti/contracts'
import { newMessage, withOutbox } from '@confetti/messaging'
import { isDuplicateKey } from '@confetti/service-kit'
import { Types } from 'mongoose'
import type { UserDocument, UserModel } from './user-model.ts'

/** An account with what proves that somebody is its owner. */
export interface Account {
  user: User
  passwordHash: string
}

const fields = { email: 1, role: 1, passwordHash: 1 } as const

const toUser = ({ _id, email, role }: Pick<UserDocument, '_id' | 'email' | 'role'>): User => ({
  _id: _id.toHexString(),
  email,
  role,
})

/** The accounts. `nudge` is called when a fact about one waits to be told. */
export const createUserStore = ({ users, nudge }: { users: UserModel; nudge: () => void }) => ({
  /** Keeps a new account together with the fact that it exists; undefined when its address is taken. */
  add: async (account: {
    email: string
    role: User['role']
    passwordHash: string
  }): Promise<User | undefined> => {
    const _id = new Types.ObjectId()
    const user = toUser({ _id, ...account })
    const registered = newMessage('user.registered.v1', user)
    try {
      await users.create({ _id, ...account, createdAt: new Date(registered.time), ...withOutbox(registered) })
    } catch (error) {
      if (isDuplicateKey(error)) return undefined
      throw error
    }
    nudge()
    return user
  },

  find: async (userId: string): Promise<User | undefined> => {
    const found = await users.findById(userId, fields).lean()
    return found ? toUser(found) : undefined
  },

  findByEmail: async (email: string): Promise<Account | undefined> => {
    const found = await users.findOne({ email }, fields).lean()
    return found ? { user: toUser(found), passwordHash: found.passwordHash } : undefined
  },

  /** The accounts with role user, by address. */
  listOrganisers: async (): Promise<User[]> => {
    const found = await users.find({ role: 'user' }, fields).sort({ email: 1 }).lean()
    return found.map(toUser)
  },
})
export type UserStore = ReturnType<typeof createUserStore>
