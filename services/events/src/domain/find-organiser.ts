import type { User } from '@confetti/contracts'
import { invalid } from '@confetti/service-kit'
import type { UserStore } from './user.ts'

interface Deps {
  users: UserStore
  /** Asks the auth service for an account that the local copy does not have yet. */
  fetchUser: (userId: string) => Promise<User | undefined>
}

/**
 * Finds the account that an event is assigned to, in the local copy or, if it is too new to be there, in the auth
 * service. Throws `invalid` if there is no account with this id and role user.
 */
export const makeFindOrganiser =
  ({ users, fetchUser }: Deps) =>
  async (userId: string): Promise<User> => {
    const local = await users.find(userId)
    const user = local ?? (await fetchUser(userId))
    if (user?.role !== 'user') {
      const message = 'The assigned user does not exist.'
      throw invalid(message, { code: 'unknown_user', details: [{ field: 'eventFor', message }] })
    }
    if (!local) await users.save(user)
    return user
  }
export type FindOrganiser = ReturnType<typeof makeFindOrganiser>
