import { getUser, MAX_ORGANISERS, type Role, type EventCopy } from '@confetti/contracts'
import { callService, fetchEventCopy } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'

/** The copy of an account. */
export interface User {
  _id: string
  email: string
  role: Role
  active: boolean
  /** The language of mails to its owner. */
  language?: string | undefined
}

export interface UserStore {
  find: (userId: string) => Promise<User | undefined>
  findByEmail: (email: string) => Promise<User | undefined>
  /** Saves an account unless the stored copy has the same or a later revision. Returns whether it did. */
  save: (user: User, revision: number) => Promise<boolean>
  remove: (userId: string) => Promise<void>
  /** The first `limit` admins who may sign in, by id. */
  listActiveAdmins: (limit: number) => Promise<User[]>
}

/** What mails need of the copy of an event. Copies that an earlier version wrote have no more. */
type Event = Pick<EventCopy, '_id' | 'name' | 'organisers' | 'timeZone'>

/** An event whose organisers are due to be notified of its deletion. */
export interface DueEvent extends Event {
  deleteAt: Date
  noticeDueAt: Date
}

export interface EventStore {
  find: (eventId: string) => Promise<Event | undefined>
  /**
   * Saves an event, unless it has been erased or the stored copy has the same or a later revision. The first notice of its
   * deletion becomes due if `deleteAt` is a new one. Returns whether it did.
   */
  save: (event: EventCopy) => Promise<boolean>
  /** Removes an event for good. */
  erase: (eventId: string) => Promise<void>
  /** At most `limit` events with a notice that is due, before their deletion. */
  listDue: (now: Date, limit: number) => Promise<DueEvent[]>
  /** Sets when the next notice is due, unless the event has changed meanwhile. */
  setNextNotice: (event: DueEvent, at: Date | undefined) => Promise<void>
}

/** The revision of a record that has not been changed since it was created. */
const FIRST_REVISION = 0
// Any message replaces what was fetched.
const FETCHED_REVISION = -1

/** To whom mails about events go: copies of the events and accounts that others own. */
export const createRecipients = ({ config, events, users, erasedIds }: Deps) => {
  /** Updates the copy of an account, unless it has been deleted or the copy is as new. Returns whether it did. */
  const copyUser = async (user: User, revision = FIRST_REVISION): Promise<boolean> => {
    const isSaved = await users.save(user, revision)
    // Only now: an erasure that begins after this check finds the copy.
    if (!(await erasedIds.has(user._id))) return isSaved
    await users.remove(user._id)
    return false
  }

  const findEvent = async (eventId: string): Promise<Event | undefined> => {
    const copy = await events.find(eventId)
    if (copy || (await erasedIds.has(eventId))) return copy
    const event = await fetchEventCopy(config.EVENTS_URL, eventId)
    if (!event) return undefined
    await events.save(event)
    return events.find(eventId)
  }

  const findUser = async (userId: string): Promise<User | undefined> => {
    const copy = await users.find(userId)
    if (copy || (await erasedIds.has(userId))) return copy
    const user = await callService(config.AUTH_URL, getUser, { userId })
    if (!user) return undefined
    await copyUser(user, FETCHED_REVISION)
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
export type Recipients = ReturnType<typeof createRecipients>
