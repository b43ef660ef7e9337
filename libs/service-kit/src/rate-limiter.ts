import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from './errors.ts'

export interface RateLimiter {
  /** Consumes one point of `key`. Throws `tooManyRequests` if none is left. */
  consume: (key: string) => Promise<void>
  /** Returns one point to `key`. */
  refund: (key: string) => Promise<void>
}

/**
 * Allows `points` per `seconds` and key, counted in Redis across all replicas. While Redis is unavailable, each process
 * counts on its own.
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
    consume: async (key) => {
      try {
        await limiter.consume(key)
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection
        throw tooManyRequests(message, Math.max(1, Math.ceil(rejection.msBeforeNext / 1_000)))
      }
    },
    refund: async (key) => {
      await limiter.reward(key)
    },
  }
}
