export interface MessageQuotaStore {
  /**
   * Counts a message that a user sends now, across all replicas. Returns how many the user has sent since the count
   * started, this one included, and when it starts again: an hour after its first message.
   */
  count: (userId: string, now: Date) => Promise<{ sent: number; endsAt: Date }>
  /** Removes the count of a user. */
  remove: (userId: string) => Promise<void>
}
