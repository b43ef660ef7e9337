import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from './errors.ts'

export interface RateLimiter {
  /** Consumes points of `key`, one by default. Throws `tooManyRequests` if fewer are left. */
  consume: (key: string, points?: number) => Promise<void>
  /** How many points `key` has left. */
  remaining: (key: string) => Promise<number>
  /** Returns points to `key`, one by default. */
  refund: (key: string, points?: number) => Promise<void>
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
  maxRetryAfterSeconds = seconds,
}: {
  redis: Redis
  name: string
  points: number
  seconds: number
  message: string
  /** Less than `seconds` where points are refunded before the end of the window. */
  maxRetryAfterSeconds?: number
}): RateLimiter => {
  const limits = { keyPrefix: `limit:${name}`, points, duration: seconds }
  const limiter = new RateLimiterRedis({
    ...limits,
    storeClient: redis,
    insuranceLimiter: new RateLimiterMemory(limits),
  })
  return {
    consume: async (key, consumed = 1) => {
      try {
        await limiter.consume(key, consumed)
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection
        const secondsLeft = Math.ceil(rejection.msBeforeNext / 1_000)
        throw tooManyRequests(message, Math.min(Math.max(1, secondsLeft), maxRetryAfterSeconds))
      }
    },
    remaining: async (key) => (await limiter.get(key))?.remainingPoints ?? points,
    refund: async (key, returned = 1) => {
      await limiter.reward(key, returned)
    },
  }
}
