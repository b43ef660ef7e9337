import type { EventDetails, EventSettings, MessageData } from '@confetti/contracts'
import type { Principal } from '@confetti/service-kit'
import type { Phase } from './schedule.ts'

/** An account that manages an event. */
export interface Organiser {
  _id: string
  email: string
}

/** An invitation to organise an event. Only the hash of its token is stored. */
export interface OrganiserInvitation {
  _id: string
  email: string
  tokenHash: string
  expiresAt: Date
  /** The id of the account that has invited. */
  invitedBy: string
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
  /** Also those that have expired, until they are removed. */
  organiserInvitations: OrganiserInvitation[]
  /** When somebody was invited, in the last day. */
  recentInvitations: Date[]
  settings: EventSettings
  /** Computed from `endDate` and the settings. */
  uploadsCloseAt: Date
  /** When the event is going to be deleted; computed like `uploadsCloseAt`. Absent: never. */
  deleteAt?: Date | undefined
  /** The last `deleteAt` that the sweep has set, because the stored one may have been that of a backup. Absent: none. */
  postponedTo?: Date | undefined
  createdAt: Date
  /** Absent until guests have sent something. */
  usage?: EventUsage | undefined
  /** 128 random bits, made for the first PIN and kept with later ones: the same PIN then has the same key in links. */
  pinSalt?: string | undefined
  /** SHA-256 of the key of its live wall, in hexadecimal. Absent: there is no link to it. */
  wallKeyHash?: string | undefined
  /** Unique. Absent in events of earlier versions until the sweep has given them one. */
  shortCode?: string | undefined
  /** Whether guests can save where the gallery is on, unless `settings.save` is there. Absent in events of earlier versions. */
  savesWithGallery?: true | undefined
  /** Counts the changes. */
  revision: number
}

/** Those of `organisers` that are not among `others`. */
export const missingFrom = (organisers: readonly Organiser[], others: readonly Organiser[]): Organiser[] =>
  organisers.filter(({ _id }) => !others.some((other) => other._id === _id))

/** Whether the caller is an admin or an organiser of the event. */
export const canManage = ({ organisers }: StoredEvent, principal: Principal | undefined): boolean =>
  principal?.role === 'admin' || organisers.some(({ _id }) => _id === principal?.userId)

/** What a change of an event writes. */
export type EventChanges = Partial<Omit<StoredEvent, '_id' | 'revision' | 'usage' | 'shortCode'>>

/** The services that have something of events, besides this one. Each confirms that it has erased a deleted one. */
export const eventHolders = ['auth', 'notifications', 'uploads'] as const
type EventHolder = (typeof eventHolders)[number]

export interface EventStore {
  /** Stores a new event, with an id and a short code of its own, together with its `event.created` message. */
  create: (event: Omit<StoredEvent, '_id' | 'revision' | 'shortCode'>) => Promise<StoredEvent>
  find: (eventId: string) => Promise<StoredEvent | undefined>
  /** The same with the read concern `majority`: no failover rolls back what it returns. */
  findLasting: (eventId: string) => Promise<StoredEvent | undefined>
  /** The id of the event that has a short code. */
  findIdByCode: (shortCode: string) => Promise<string | undefined>
  /** Gives a short code to an event of an earlier version, like `update`, unless it changes meanwhile. */
  addShortCode: (event: StoredEvent) => Promise<void>
  /**
   * Stores a change of `event` together with its `event.changed` message, and `invited`, the mail to who was invited.
   * Undefined if the event has changed or was deleted meanwhile.
   */
  update: (
    event: StoredEvent,
    changes: EventChanges,
    invited?: MessageData<'organiser.invited.v1'>,
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
  /** The events that an account organises, has invited to, or whose invitation has its address. */
  listByAccount: (account: { _id: string; email?: string | undefined }) => Promise<StoredEvent[]>
  /** At most `limit` ids of events with invitations that have expired at `now`. */
  listWithExpiredInvitations: (now: Date, limit: number) => Promise<string[]>
  /** Removes the invitations of an event that have expired at `now`, unless the event changes meanwhile. */
  removeExpiredInvitations: (eventId: string, now: Date) => Promise<void>
  /** The events that are to be deleted before a time, but for those that the sweep has postponed already. */
  listEndingBefore: (time: Date) => Promise<StoredEvent[]>
  /** At most `limit` ids of events that are to be deleted at `now`. */
  listDue: (now: Date, limit: number) => Promise<string[]>
  /**
   * Marks an event as deleted, together with its `event.deleted` message: from then on no other method finds it, and
   * nothing but its id is left of it. False if there is none; with `due`, also if it is not due for deletion at `at`, as
   * somebody may have postponed that meanwhile.
   */
  markDeleted: (eventId: string, at: Date, which?: 'all' | 'due') => Promise<boolean>
  /** Remembers that a service has erased a deleted event. When all holders have, removes what is left of it. */
  confirmErasure: (eventId: string, service: string) => Promise<void>
  /** When the deletion that has waited longest for a holder was made, if one waits. */
  findOldestDeletion: (holder: EventHolder) => Promise<Date | undefined>
  /** At most `limit` ids of deleted events of which `event.deleted` was last published before `before`. */
  listUnerased: (before: Date, limit: number) => Promise<string[]>
  /** Publishes `event.deleted` of an event again, unless that was done since `before`. */
  repeatDeletion: (eventId: string, before: Date, now: Date) => Promise<void>
}
