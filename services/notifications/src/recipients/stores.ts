import type { Role } from '@confetti/contracts'

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

/** The copy of an event. */
export interface Event {
  _id: string
  /** Missing in copies of messages of version 0.1. */
  name?: string | undefined
  /** The account ids of its organisers. */
  organisers: string[]
  /** The IANA time zone of its days. Missing in copies of messages before version 0.2. */
  timeZone?: string | undefined
  /** When the event is going to be deleted. */
  deleteAt?: Date | undefined
}

/** An event whose organisers are due to be notified of its deletion. */
export interface DueEvent extends Event {
  deleteAt: Date
  noticeDueAt: Date
}

export interface EventStore {
  find: (eventId: string) => Promise<Event | undefined>
  /**
   * Saves an event unless the stored copy has the same or a later revision. The first notice of its deletion becomes due
   * if `deleteAt` is a new one.
   */
  save: (event: Event, revision: number) => Promise<void>
  remove: (eventId: string) => Promise<void>
  /** At most `limit` events with a notice that is due, before their deletion. */
  listDue: (now: Date, limit: number) => Promise<DueEvent[]>
  /** Sets when the next notice is due, unless the event has changed meanwhile. */
  setNextNotice: (event: DueEvent, at: Date | undefined) => Promise<void>
}
