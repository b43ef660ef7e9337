import type { EventDetails, EventSettings } from '@confetti/contracts'
import type { Principal } from '@confetti/service-kit'
import type { Phase } from './schedule.ts'

/** An account that manages an event. */
export interface Organiser {
  _id: string
  email: string
}

/** What an event has, as uploads has counted it: at least that, because a deletion makes it unknown. */
export interface EventUsage {
  files?: number | undefined
  bytes?: number | undefined
  countedAt: Date
}

/** An event as it is stored: without the fields that views compute, and with times as `Date`. */
export interface StoredEvent extends EventDetails {
  _id: string
  /** Empty only if the accounts of all organisers have been erased. */
  organisers: Organiser[]
  settings: EventSettings
  /** Computed from `endDate` and the settings. */
  uploadsCloseAt: Date
  /** When the event is going to be deleted; computed like `uploadsCloseAt`. Absent: never. */
  deleteAt?: Date | undefined
  createdAt: Date
  /** Absent until guests have sent something. */
  usage?: EventUsage | undefined
  /** SHA-256 of the key of its live wall, in hexadecimal. Absent: there is no link to it. */
  wallKeyHash?: string | undefined
  /** Counts the changes. */
  revision: number
}

/** Whether the caller is an admin or an organiser of the event. */
export const canManage = ({ organisers }: StoredEvent, principal: Principal | undefined): boolean =>
  principal?.role === 'admin' || organisers.some(({ _id }) => _id === principal?.userId)

/** The services that have something of events, besides this one. Each confirms that it has erased a deleted one. */
export const eventHolders = ['auth', 'notifications', 'uploads'] as const
export type EventHolder = (typeof eventHolders)[number]

type ChangeableField = Exclude<keyof StoredEvent, '_id' | 'revision' | 'usage'>

export interface EventStore {
  /** Stores a new event together with its `event.created` message. */
  create: (event: Omit<StoredEvent, '_id' | 'revision'>) => Promise<StoredEvent>
  find: (eventId: string) => Promise<StoredEvent | undefined>
  /** Stores a change of `event` together with its `event.changed` message; undefined if the event has changed or was deleted meanwhile. */
  update: (
    event: StoredEvent,
    changes: Partial<Pick<StoredEvent, ChangeableField>>,
  ) => Promise<StoredEvent | undefined>
  /** Stores what an event has, unless a later count is stored. It is no change of the event. */
  setUsage: (eventId: string, usage: EventUsage) => Promise<void>
  /** Makes what an event has unknown, until it is counted after `at`. */
  forgetUsage: (eventId: string, at: Date) => Promise<void>
  /**
   * The events that are active, upcoming or past on some day from `earliest` to `latest` (yyyy-MM-dd): past ones latest
   * first, others soonest first.
   */
  listByPhase: (phase: Phase, days: { earliest: string; latest: string }) => Promise<StoredEvent[]>
  /** The first events that have changed since a position, longest ago first, and the position of the last one. */
  listChanges: (since: string | undefined) => Promise<{ events: StoredEvent[]; position?: string }>
  /** The events of an organiser, latest first. */
  listByOrganiser: (organiserId: string) => Promise<StoredEvent[]>
  /** At most `limit` ids of events that are to be deleted at `now`. */
  listDue: (now: Date, limit: number) => Promise<string[]>
  /**
   * Marks an event as deleted, together with its `event.deleted` message: from then on no other method finds it, and
   * nothing but its id is left of it. False if there is none.
   */
  markDeleted: (eventId: string, at: Date) => Promise<boolean>
  /** Remembers that a service has erased a deleted event. When all holders have, removes what is left of it. */
  confirmErasure: (eventId: string, service: string) => Promise<void>
  /** When the deletion that has waited longest for a holder was made, if one waits. */
  findOldestDeletion: (holder: EventHolder) => Promise<Date | undefined>
  /** Publishes `event.deleted` again where that was last done before `before`, for `limit` events at most. Returns their ids. */
  repeatDeletions: (before: Date, now: Date, limit: number) => Promise<string[]>
}
