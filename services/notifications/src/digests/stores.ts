/** A digest that has become due. */
export interface DueDigest {
  eventId: string
  dueAt: Date
}

export interface UploadCounts {
  photos: number
  videos: number
}

export interface NewUploadStore {
  /** Returns false if the upload has been added before. */
  add: (upload: { _id: string; eventId: string; isVideo: boolean }) => Promise<boolean>
  /** Assigns the uploads that arrived until `dueAt` to this digest, unless another one has them. */
  assign: (digest: DueDigest) => Promise<void>
  /** Counts the uploads of the digests that became due from `from` through `to`. */
  count: (eventId: string, from: Date, to: Date) => Promise<UploadCounts>
  /** Whether an upload of the event belongs to no digest yet. */
  hasUnassigned: (eventId: string) => Promise<boolean>
  removeOfEvent: (eventId: string) => Promise<void>
  /** Removes at most `limit` uploads that were added before `before`; returns how many. */
  removeOlderThan: (before: Date, limit: number) => Promise<number>
}

/** At most one digest of each event is planned. */
export interface DigestStore {
  /** Plans the next digest of an event for `dueAt`, unless one is planned; returns when it is due. */
  plan: (eventId: string, dueAt: Date) => Promise<Date>
  /** Leases a due digest for `leaseMs`. */
  leaseDue: (leaseMs: number) => Promise<DueDigest | undefined>
  finish: (digest: DueDigest) => Promise<void>
  removeOfEvent: (eventId: string) => Promise<void>
  /** When the digest that has waited longest was due. */
  oldestDue: () => Promise<Date | undefined>
}

/** Who does not want digests of an event. */
export interface UnsubscriptionStore {
  add: (eventId: string, userId: string) => Promise<void>
  has: (eventId: string, userId: string) => Promise<boolean>
  removeOfUser: (userId: string) => Promise<void>
  removeOfEvent: (eventId: string) => Promise<void>
}
