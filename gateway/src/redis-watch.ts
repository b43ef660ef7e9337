import type { Redis } from 'ioredis'

const EVERY_MS = 1_000

/**
 * Drops the connection to a Redis that no longer answers. Until it answers again commands then fail at once,
 * where on a connection that merely hangs each would wait for its time limit. Gives the way to stop.
 */
export const watchRedis = (redis: Redis): (() => void) => {
  const timer = setInterval(() => {
    if (redis.status !== 'ready') return
    redis.ping().catch(() => {
      if (redis.status === 'ready') redis.disconnect(true)
    })
  }, EVERY_MS)
  return () => clearInterval(timer)
}
