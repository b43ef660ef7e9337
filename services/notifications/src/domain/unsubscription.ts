/** Who does not want digests of an event. */
export interface UnsubscriptionStore {
  add: (eventId: string, userId: string) => Promise<void>
  has: (eventId: string, userId: string) => Promise<boolean>
  removeOfUser: (userId: string) => Promise<void>
  removeOfEvent: (eventId: string) => Promise<void>
}
