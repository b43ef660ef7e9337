import { getUser, type User } from '@confetti/contracts'
import { callService, invalid } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import type { Organiser, StoredEvent } from '../event.ts'

/** The copy of an account. */
export interface StoredUser extends User {
  active: boolean
  /** Counts the changes of the account. */
  revision: number
}

/** Whether events can be assigned to an account. */
const isOrganiser = ({ role, active }: Pick<StoredUser, 'role' | 'active'>): boolean =>
  role === 'user' && active

/** The local copy of accounts. */
export interface UserStore {
  find: (userId: string) => Promise<StoredUser | undefined>
  findByEmail: (email: string) => Promise<StoredUser | undefined>
  /**
   * Adds or replaces the copy of an account, unless it is as new or the account has been erased. Returns whether it did.
   */
  save: (user: StoredUser) => Promise<boolean>
  /** Whether an account has been erased. */
  isErased: (userId: string) => Promise<boolean>
  /** Removes the copy of an account for good. */
  erase: (userId: string) => Promise<void>
}

const MAX_ATTEMPTS = 10

/** The accounts that organise events: copies of what auth owns. */
export const createAccounts = ({ config, users, events }: Deps) => {
  /** Erases what is left of an account: its copy, and its part in events. */
  const forget = async (userId: string): Promise<void> => {
    // First, so that no event can be assigned to it any more.
    await users.erase(userId)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const organised = await events.listByOrganiser(userId)
      if (organised.length === 0) return
      // An event that changes meanwhile is found again.
      for (const event of organised)
        await events.update(event, { organisers: event.organisers.filter(({ _id }) => _id !== userId) })
    }
    throw new Error('Events of the account change all the time, will try again')
  }

  return {
    save: users.save,
    forget,

    /**
     * Finds the account that an event is assigned to, in the local copy or, if it is too new to be there, in the auth
     * service. Throws `invalid`, about `field` of the request, if there is no active account with this id and role user.
     */
    findOrganiser: async (userId: string, field = 'eventFor'): Promise<Organiser> => {
      const local = await users.find(userId)
      const fetched = local ? undefined : await callService(config.AUTH_URL, getUser, { userId })
      const user = local ?? (fetched && { ...fetched, revision: 0 })
      if (!user || !isOrganiser(user)) {
        const message = 'The assigned user does not exist.'
        throw invalid(message, { code: 'unknown_user', details: [{ field, message, code: 'unknown_user' }] })
      }
      if (!local) await users.save(user)
      return { _id: user._id, email: user.email }
    },

    /** Finds the account with an email address. Throws `invalid` if there is none that can organise events. */
    findOrganiserByEmail: async (email: string): Promise<Organiser> => {
      const user = await users.findByEmail(email)
      if (user && isOrganiser(user)) return { _id: user._id, email: user.email }
      const message = 'There is no organiser with this email address.'
      throw invalid(message, {
        code: 'unknown_user',
        details: [{ field: 'email', message, code: 'unknown_user' }],
      })
    },

    /**
     * Returns an event that has just been written without organisers whose accounts were erased meanwhile: `forget` did
     * not find them in it if it ran before the write.
     */
    dropErased: async (event: StoredEvent): Promise<StoredEvent> => {
      const isErased = await Promise.all(event.organisers.map(({ _id }) => users.isErased(_id)))
      const erased = event.organisers.filter((_, index) => isErased[index])
      for (const { _id } of erased) await forget(_id)
      return erased.length === 0 ? event : ((await events.find(event._id)) ?? event)
    },
  }
}
export type Accounts = ReturnType<typeof createAccounts>
