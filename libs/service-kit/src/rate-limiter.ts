import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from './errors.ts'

export interface RateLimiter {
  /** Takes one point from `key`. Throws `tooManyRequests` when none is left. */
  take: (key: string) => Promise<void>
  /** Gives one point back. */
  giveBack: (key: string) => Promise<void>
}

/**
 * `points` per `seconds` and key, counted in Redis for all replicas together; while Redis is away each process
 * counts for itself.
 */
export const createRateLimiter = ({
  redis,
  name,
  points,
  seconds,
  message,
}: {
  redis: Redis
  name: string
  points: number
  seconds: number
  message: string
}): RateLimiter => {
  const limits = { keyPrefix: `limit:${name}`, points, duration: seconds }
  const limiter = new RateLimiterRedis({
    ...limits,
    storeClient: redis,
    insuranceLimiter: new RateLimiterMemory(limits),
  })
  return {
    take: async (key) => {
      try {
        await limiter.consume(key)
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        throw tooManyRequests(message, Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)))
      }
    },
    giveBack: async (key) => {
      await limiter.reward(key)
    },
  }
}
