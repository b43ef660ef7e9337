import { Redis } from 'ioredis'
import type { Logger } from './logger.ts'

const WATCH_EVERY_MS = 1_000

/**
 * A Redis client for things that we can do without: it never makes a caller wait longer than a blink, and fails
 * at once while Redis is away.
 */
export const connectRedis = (url: string, logger: Logger): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 250,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(100 * 2 ** attempt, 3_000),
  })
  let away = false
  redis.on('error', (error: Error) => {
    if (!away) logger.warn({ err: error }, 'redis away')
    away = true
  })
  redis.on('ready', () => {
    if (away) logger.info('redis back')
    away = false
  })
  // On a connection that merely hangs each command would wait for its time limit; on none it fails at once.
  const watch = setInterval(() => {
    if (redis.status !== 'ready') return
    redis.ping().catch(() => {
      if (redis.status === 'ready') redis.disconnect(true)
    })
  }, WATCH_EVERY_MS)
  redis.on('end', () => clearInterval(watch))
  return redis
}
