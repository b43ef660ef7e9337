import type { User } from '@confetti/contracts'
import { invalid } from '@confetti/service-kit'
import type { Organiser } from './event.ts'
import { isOrganiser, type UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find' | 'save'>
  /** Asks the auth service for an account that the local copy does not have yet. */
  fetchUser: (userId: string) => Promise<User | undefined>
}

/**
 * Finds the account that an event is assigned to, in the local copy or, if it is too new to be there, in the auth
 * service. Throws `invalid`, about `field` of the request, if there is no active account with this id and role user.
 */
export const makeFindOrganiser =
  ({ users, fetchUser }: Deps) =>
  async (userId: string, field = 'eventFor'): Promise<Organiser> => {
    const local = await users.find(userId)
    const fetched = local ? undefined : await fetchUser(userId)
    const user = local ?? (fetched && { ...fetched, active: true, revision: 0 })
    if (!user || !isOrganiser(user)) {
      const message = 'The assigned user does not exist.'
      throw invalid(message, { code: 'unknown_user', details: [{ field, message, code: 'unknown_user' }] })
    }
    if (!local) await users.save(user)
    return { _id: user._id, email: user.email }
  }
export type FindOrganiser = ReturnType<typeof makeFindOrganiser>
