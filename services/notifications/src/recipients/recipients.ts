import { MAX_ORGANISERS } from '@confetti/contracts'
import type { ErasedIds, EventCopy } from '@confetti/service-kit'
import type { Event, EventStore, User, UserStore } from './stores.ts'

interface Deps {
  events: Pick<EventStore, 'find' | 'save'>
  users: Pick<UserStore, 'find' | 'save' | 'remove'>
  erasedIds: Pick<ErasedIds, 'has'>
  /** Ask the owners for what the copies lack: records from before this service existed. */
  fetchEvent: (eventId: string) => Promise<EventCopy | undefined>
  fetchUser: (userId: string) => Promise<Omit<User, 'active'> | undefined>
}

/** The revision of a record that has not been changed since it was created. */
const FIRST_REVISION = 0
// Any message replaces what was fetched.
const FETCHED_REVISION = -1

/** To whom mails about events go: copies of the events and accounts that others own. */
export const createRecipients = ({ events, users, erasedIds, fetchEvent, fetchUser }: Deps) => {
  /** Updates the copy of an account, unless it has been deleted or the copy is newer. */
  const copyUser = async (user: User, revision = FIRST_REVISION): Promise<void> => {
    await users.save(user, revision)
    // Only now: an erasure that begins after this check finds the copy.
    if (await erasedIds.has(user._id)) await users.remove(user._id)
  }

  const findEvent = async (eventId: string): Promise<Event | undefined> => {
    const copy = await events.find(eventId)
    if (copy || (await erasedIds.has(eventId))) return copy
    const event = await fetchEvent(eventId)
    if (!event) return undefined
    await events.save(event)
    return events.find(eventId)
  }

  const findUser = async (userId: string): Promise<User | undefined> => {
    const copy = await users.find(userId)
    if (copy || (await erasedIds.has(userId))) return copy
    const user = await fetchUser(userId)
    if (!user) return undefined
    await copyUser({ ...user, active: true }, FETCHED_REVISION)
    return users.find(userId)
  }

  return {
    copyUser,

    /** Finds an event and its organisers who may sign in. Undefined if there is no such event. */
    find: async (eventId: string): Promise<{ event: Event; organisers: User[] } | undefined> => {
      const event = await findEvent(eventId)
      if (!event) return undefined
      const found = await Promise.all(event.organisers.slice(0, MAX_ORGANISERS).map(findUser))
      return { event, organisers: found.filter((user) => user !== undefined).filter(({ active }) => active) }
    },
  }
}
export type FindRecipients = ReturnType<typeof createRecipients>['find']
