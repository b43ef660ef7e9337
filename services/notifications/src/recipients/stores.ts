import type { Role } from '@confetti/contracts'
import type { EventCopy } from '@confetti/service-kit'

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
  /** Saves an account unless the stored copy has the same or a later revision. */
  save: (user: User, revision: number) => Promise<void>
  remove: (userId: string) => Promise<void>
  /** The first `limit` admins who may sign in, by id. */
  listActiveAdmins: (limit: number) => Promise<User[]>
}

/** What mails need of the copy of an event. Copies that an earlier version wrote have no more. */
export type Event = Pick<EventCopy, '_id' | 'name' | 'organisers' | 'timeZone'>

/** An event whose organisers are due to be notified of its deletion. */
export interface DueEvent extends Event {
  deleteAt: Date
  noticeDueAt: Date
}

export interface EventStore {
  find: (eventId: string) => Promise<Event | undefined>
  /**
   * Saves an event, unless it has been erased or the stored copy has the same or a later revision. The first notice of its
   * deletion becomes due if `deleteAt` is a new one.
   */
  save: (event: EventCopy) => Promise<void>
  /** Removes an event for good. */
  erase: (eventId: string) => Promise<void>
  /** At most `limit` events with a notice that is due, before their deletion. */
  listDue: (now: Date, limit: number) => Promise<DueEvent[]>
  /** Sets when the next notice is due, unless the event has changed meanwhile. */
  setNextNotice: (event: DueEvent, at: Date | undefined) => Promise<void>
}
