import type { Event } from '@confetti/contracts'
import type { Phase } from './calendar.ts'

/** An event as it is stored: an event of the API without its computed fields, and with times as `Date`. */
export type StoredEvent = Omit<
  Event,
  'uploadUrl' | 'uploadsOpen' | 'uploadsCloseAt' | 'timeZone' | 'limits' | 'createdAt'
> & {
  uploadsCloseAt: Date
  createdAt: Date
}

export interface EventStore {
  /** Stores a new event together with its `event.created` message. */
  create: (event: Omit<StoredEvent, '_id'>) => Promise<StoredEvent>
  find: (eventId: string) => Promise<StoredEvent | undefined>
  /** The events that are active, upcoming or past on `today` (yyyy-MM-dd): past ones latest first, others soonest first. */
  listByPhase: (phase: Phase, today: string) => Promise<StoredEvent[]>
  /** The events of an organiser, latest first. */
  listByOrganiser: (organiserId: string) => Promise<StoredEvent[]>
}
