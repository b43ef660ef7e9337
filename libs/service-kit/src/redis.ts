import { AsyncLocalStorage } from 'node:async_hooks'
import { Redis } from 'ioredis'
import ipaddr from 'ipaddr.js'
import { Gauge } from 'prom-client'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyRequests } from './errors.ts'
import type { Service } from './service.ts'

export interface RateLimiter {
  /** Consumes points of `key`, one by default. Throws `tooManyRequests` if fewer are left. */
  consume: (key: string, points?: number) => Promise<void>
  /** Consumes nothing. Throws `tooManyRequests` if `key` has no points left. */
  check: (key: string) => Promise<void>
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
  const refuse = ({ msBeforeNext }: RateLimiterRes): never => {
    const secondsLeft = Math.ceil(msBeforeNext / 1_000)
    throw tooManyRequests(message, Math.min(Math.max(1, secondsLeft), maxRetryAfterSeconds))
  }
  const consume = async (key: string, consumed: number): Promise<RateLimiterRes> => {
    try {
      return await limiter.consume(key, consumed)
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection
      return refuse(rejection)
    }
  }
  return {
    consume: async (key, consumed = 1) => {
      await consume(key, consumed)
    },
    check: async (key) => {
      const state = await consume(key, 0)
      if (state.remainingPoints < 1) refuse(state)
    },
    remaining: async (key) => (await limiter.get(key))?.remainingPoints ?? points,
    refund: async (key, returned = 1) => {
      await limiter.reward(key, returned)
    },
  }
}

/**
 * The key under which the requests of an IP address are counted: an IPv4 address itself (also where it comes as
 * IPv4-mapped IPv6), and for IPv6 the /64 network, because a single customer owns all addresses of one. Anything
 * else is returned as it is.
 */
export const addressKey = (address: string): string => {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

const PING_INTERVAL_MS = 1_000

/**
 * Connects to Redis for optional data, until the service closes: a command takes at most 250 ms, and fails at once while
 * Redis is unavailable.
 */
export const connectRedis = (
  url: string,
  { logger, registry, lifecycle }: Pick<Service, 'logger' | 'registry' | 'lifecycle'>,
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
    registers: [registry],
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
