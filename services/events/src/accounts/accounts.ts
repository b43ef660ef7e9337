import { getUser, type MessageData, type User } from '@confetti/contracts'
import { callService, invalid, throwIfAny, tryEach } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import type { Organiser, OrganiserInvitation, StoredEvent } from '../event.ts'

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
  /**
   * Adds or replaces the copy of an account, unless it is as new or the account has been erased. Returns whether it did.
   */
  save: (user: StoredUser) => Promise<boolean>
  /** Whether an account has been erased. */
  isErased: (userId: string) => Promise<boolean>
  /** Removes the copy of an account for good. */
  erase: (userId: string) => Promise<void>
}

type ErasedAccount = Pick<MessageData<'user.deleted.v1'>, '_id' | 'erasedAt'> & { email?: string }

const MAX_ATTEMPTS = 10

/** The accounts that organise events: copies of what auth owns. */
export const createAccounts = ({ config, users, events }: Deps) => {
  /**
   * Erases what is left of an account: its copy, its part in events, and the invitations by it and to its address. Whom the
   * address belongs to after `erasedAt` keeps theirs.
   */
  const forget = async ({ _id: userId, email, erasedAt }: ErasedAccount): Promise<void> => {
    const erasedMs = erasedAt === undefined ? Infinity : Date.parse(erasedAt)
    const isAbout = ({ invitedBy, email: invited, expiresAt }: OrganiserInvitation): boolean =>
      invitedBy === userId ||
      (invited === email && expiresAt.getTime() - config.ORGANISER_INVITATION_SECONDS * 1_000 <= erasedMs)
    const isOrganisedBy = ({ _id }: Organiser): boolean => _id === userId
    // First, so that no event can be assigned to it any more.
    await users.erase(userId)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const found = (await events.listByAccount({ _id: userId, email })).filter(
        ({ organisers, organiserInvitations }) =>
          organisers.some(isOrganisedBy) || organiserInvitations.some(isAbout),
      )
      if (found.length === 0) return
      // An event that changes meanwhile is found again. One that fails must not keep the account in the others.
      const errors = await tryEach(found, async (event) => {
        await events.update(event, {
          organisers: event.organisers.filter((each) => !isOrganisedBy(each)),
          organiserInvitations: event.organiserInvitations.filter((each) => !isAbout(each)),
        })
      })
      throwIfAny(errors, 'some events still have the account')
    }
    throw new Error('Events of the account change all the time, will try again')
  }

  /** Finds an account in the local copy or, if it is too new to be there, in the auth service. */
  const find = async (userId: string): Promise<StoredUser | undefined> => {
    const local = await users.find(userId)
    if (local) return local
    const fetched = await callService(config.AUTH_URL, getUser, { userId })
    if (!fetched) return undefined
    const user = { ...fetched, revision: 0 }
    await users.save(user)
    return user
  }

  return {
    save: users.save,
    forget,
    find,

    /**
     * Finds the account that an event is assigned to. Throws `invalid`, about `field` of the request, if there is no active
     * account with this id and role user.
     */
    findOrganiser: async (userId: string, field = 'eventFor'): Promise<Organiser> => {
      const user = await find(userId)
      if (!user || !isOrganiser(user)) {
        const message = 'The assigned user does not exist.'
        throw invalid(message, { code: 'unknown_user', details: [{ field, message, code: 'unknown_user' }] })
      }
      return { _id: user._id, email: user.email }
    },

    /**
     * Returns an event that has just been written without organisers whose accounts were erased meanwhile, and without their
     * invitations: `forget` did not find them in it if it ran before the write.
     */
    dropErased: async (event: StoredEvent): Promise<StoredEvent> => {
      const inviters = event.organiserInvitations.map(({ invitedBy }) => invitedBy)
      const userIds = [...new Set([...event.organisers.map(({ _id }) => _id), ...inviters])]
      const isErased = await Promise.all(userIds.map(users.isErased))
      const erased = userIds.filter((_, index) => isErased[index])
      for (const _id of erased) await forget({ _id })
      return erased.length === 0 ? event : ((await events.find(event._id)) ?? event)
    },
  }
}
export type Accounts = ReturnType<typeof createAccounts>
