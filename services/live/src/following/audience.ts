import type { EventCopy } from '@confetti/contracts'
import { hasWallKey, type Principal } from '@confetti/service-kit'

/** Members see everything that happens, the live wall only what guests may see. */
export type Audience = 'member' | 'wall'

/** What a request proves about its sender. */
export interface Credentials {
  principal?: Principal | undefined
  wallKey?: string | undefined
}

/** As whom somebody may follow an event; undefined if they may not. */
export const audienceOf = (event: EventCopy, { principal, wallKey }: Credentials): Audience | undefined => {
  if (principal?.role === 'admin' || (principal && event.organisers.includes(principal.userId)))
    return 'member'
  return wallKey !== undefined && hasWallKey(event, wallKey) ? 'wall' : undefined
}
