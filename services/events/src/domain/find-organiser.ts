import type { User } from '@confetti/contracts'
import { invalid } from '@confetti/service-kit'
import type { UserStore } from '../storage/user-store.ts'

interface Deps {
  users: UserStore
  askAuth: (userId: string) => Promise<User | undefined>
}

/**
 * The account that an event may be assigned to: from our copy, or, if it is too new to be there, from its owner.
 * Throws `invalid` when there is none with role user.
 */
export const makeFindOrganiser =
  ({ users, askAuth }: Deps) =>
  async (userId: string): Promise<User> => {
    const known = await users.find(userId)
    const user = known ?? (await askAuth(userId))
    if (user?.role !== 'user') {
      const message = 'The assigned user does not exist.'
      throw invalid(message, { code: 'unknown_user', details: [{ field: 'eventFor', message }] })
    }
    if (!known) await users.keep(user)
    return user
  }
export type FindOrganiser = ReturnType<typeof makeFindOrganiser>
