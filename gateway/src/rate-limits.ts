import { createHash } from 'node:crypto'
import { AppError, createRateLimiter } from '@confetti/service-kit'
import type { Redis } from 'ioredis'
import type { Config } from './config.ts'

interface Caller {
  /** As `addressKey` gives it. */
  address: string
  guest: string | undefined
  authorization: string | undefined
}

export interface RateLimits {
  /** Counts a call. Throws `tooManyRequests` when its caller makes too many. */
  take: (caller: Caller) => Promise<void>
  /** Counts a guest token for this address; false when it has had too many. */
  mayHaveToken: (address: string) => Promise<boolean>
}

const message = 'Too many requests. Please try again in a moment.'

/** Hundreds of guests share a venue's address: who can be told apart is counted apart, an address only loosely. */
export const createRateLimits = (redis: Redis, config: Config): RateLimits => {
  const perMinute = (name: string, points: number) =>
    createRateLimiter({ redis, name, points, seconds: 60, message })
  const guests = perMinute('gateway-guest', config.GUEST_REQUESTS_PER_MINUTE)
  const members = perMinute('gateway-member', config.MEMBER_REQUESTS_PER_MINUTE)
  const addresses = perMinute('gateway-address', config.ADDRESS_REQUESTS_PER_MINUTE)
  const ceiling = perMinute('gateway-ceiling', config.ADDRESS_CEILING_PER_MINUTE)
  const tokens = perMinute('gateway-token', config.GUEST_TOKENS_PER_MINUTE)

  const takeOwn = ({ address, guest, authorization }: Caller): Promise<void> => {
    if (guest) return guests.take(guest)
    if (authorization) return members.take(createHash('sha256').update(authorization).digest('base64url'))
    return addresses.take(address)
  }
  return {
    take: async (caller) => {
      // The ceiling second: what one abuser is refused must not use up what his neighbours share with him.
      await takeOwn(caller)
      await ceiling.take(caller.address)
    },
    mayHaveToken: async (address) => {
      try {
        await tokens.take(address)
        return true
      } catch (error) {
        if (error instanceof AppError) return false
        throw error
      }
    },
  }
}
