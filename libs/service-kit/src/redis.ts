import { AsyncLocalStorage } from 'node:async_hooks'
import { Redis } from 'ioredis'
import { Gauge } from 'prom-client'
import type { Lifecycle } from './lifecycle.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

const PING_INTERVAL_MS = 1_000

/**
 * Connects to Redis for optional data, until the service closes: a command takes at most 250 ms, and fails at once while
 * Redis is unavailable.
 */
export const connectRedis = (
  url: string,
  { logger, metrics, lifecycle }: { logger: Logger; metrics: Metrics; lifecycle: Lifecycle },
): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 250,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(100 * 2 ** attempt, 3_000),
  })
  new Gauge({
    name: 'redis_connected',
    help: '1 while there is a connection to Redis that answers',
    registers: [metrics],
    collect() {
      this.set(redis.status === 'ready' ? 1 : 0)
    },
  })
  let disconnected = false
  // Bound: it may be emitted in the context of a request.
  const onError = AsyncLocalStorage.bind((error: Error) => {
    if (!disconnected) logger.warn({ err: error }, 'redis disconnected')
    disconnected = true
  })
  redis.on('error', onError)
  redis.on('ready', () => {
    if (disconnected) logger.info('redis reconnected')
    disconnected = false
  })
  // On a connection that hangs, each command would wait for its timeout; without a connection it fails at once.
  const pingTimer = setInterval(() => {
    if (redis.status !== 'ready') return
    redis.ping().catch(() => {
      if (redis.status === 'ready') redis.disconnect(true)
    })
  }, PING_INTERVAL_MS)
  redis.on('end', () => clearInterval(pingTimer))
  lifecycle.onClose('redis', () => {
    redis.disconnect()
    return Promise.resolve()
  })
  return redis
}
