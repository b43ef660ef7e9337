import { MAX_ORGANISERS, type EventSummary } from '@confetti/contracts'
import type { ErasedIds } from '@confetti/service-kit'
import type { Event, EventStore, User, UserStore } from './stores.ts'

interface Deps {
  events: Pick<EventStore, 'find' | 'save' | 'remove'>
  users: Pick<UserStore, 'find' | 'save' | 'remove'>
  erasedIds: Pick<ErasedIds, 'has'>
  /** Ask the owners for what the copies lack: records from before this service existed. */
  fetchEvent: (eventId: string) => Promise<EventSummary | undefined>
  fetchUser: (userId: string) => Promise<Omit<User, 'active'> | undefined>
}

type CopiedEvent = Pick<EventSummary, '_id' | 'eventFor' | 'organisers' | 'name' | 'timeZone' | 'deleteAt'>

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

  /** Updates the copy of an event, unless it has been deleted or the copy is newer. */
  const copyEvent = async (
    { _id, eventFor, organisers, name, timeZone, deleteAt }: CopiedEvent,
    revision = FIRST_REVISION,
  ): Promise<void> => {
    await events.save(
      {
        _id,
        name,
        timeZone,
        organisers: organisers ?? [eventFor],
        deleteAt: deleteAt ? new Date(deleteAt) : undefined,
      },
      revision,
    )
    // Only now: an erasure that begins after this check finds the copy.
    if (await erasedIds.has(_id)) await events.remove(_id)
  }

  const findEvent = async (eventId: string): Promise<Event | undefined> => {
    const copy = await events.find(eventId)
    if (copy || (await erasedIds.has(eventId))) return copy
    const summary = await fetchEvent(eventId)
    if (!summary) return undefined
    await copyEvent(summary, FETCHED_REVISION)
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
    copyEvent,

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
