import { createHash, timingSafeEqual } from 'node:crypto'
import type { EventSummary } from '@confetti/contracts'
import type { Principal } from '@confetti/service-kit'

/** What decides who may follow an event. */
export interface FollowedEvent {
  _id: string
  /** The account ids of its organisers. */
  organisers: readonly string[]
  /** SHA-256 of the key of its live wall, in hexadecimal. */
  wallKeyHash?: string | undefined
  /** Counts the changes of the event. */
  revision: number
}

export const toFollowedEvent = ({
  _id,
  eventFor,
  organisers = [eventFor],
  wallKeyHash,
  revision = 0,
}: Pick<EventSummary, '_id' | 'eventFor' | 'organisers' | 'wallKeyHash' | 'revision'>): FollowedEvent => ({
  _id,
  organisers,
  wallKeyHash,
  revision,
})

/** Members see everything that happens, the live wall only what guests may see. */
export type Audience = 'member' | 'wall'

/** What a request proves about its sender. */
export interface Credentials {
  principal?: Principal | undefined
  wallKey?: string | undefined
}

const isWallKey = (key: string, hash: string): boolean => {
  const expected = Buffer.from(hash, 'hex')
  const actual = createHash('sha256').update(key).digest()
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** As whom somebody may follow an event; undefined if they may not. */
export const audienceOf = (
  { organisers, wallKeyHash }: FollowedEvent,
  { principal, wallKey }: Credentials,
): Audience | undefined => {
  if (principal?.role === 'admin' || (principal && organisers.includes(principal.userId))) return 'member'
  return wallKey && wallKeyHash && isWallKey(wallKey, wallKeyHash) ? 'wall' : undefined
}
