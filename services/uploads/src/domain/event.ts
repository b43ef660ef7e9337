/** An event as this service needs it: a copy of what the events service owns. */
export interface StoredEvent {
  _id: string
  /** The account id of its organiser. */
  eventFor: string
  /** ISO 8601. */
  uploadsCloseAt: string
}

export interface EventStore {
  find: (eventId: string) => Promise<StoredEvent | undefined>
  /** Adds or replaces the copy of an event. */
  save: (event: StoredEvent) => Promise<void>
}
