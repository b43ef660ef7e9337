import { createHash, timingSafeEqual } from 'node:crypto'
import type { EventCopy, Principal } from '@confetti/service-kit'

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
  { organisers, wallKeyHash }: EventCopy,
  { principal, wallKey }: Credentials,
): Audience | undefined => {
  if (principal?.role === 'admin' || (principal && organisers.includes(principal.userId))) return 'member'
  return wallKey && wallKeyHash && isWallKey(wallKey, wallKeyHash) ? 'wall' : undefined
}
