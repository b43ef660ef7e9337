import { Redis } from 'ioredis'
import type { Logger } from './logger.ts'

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
  return redis
}
