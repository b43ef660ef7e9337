import { createHash } from 'node:crypto'
import {
  AppError,
  createRateLimiter,
  toAppError,
  type Metrics,
  type RateLimiter,
  type TokenVerification,
  type VerifyToken,
} from '@confetti/service-kit'
import type { Redis } from 'ioredis'
import { Counter } from 'prom-client'
import type { Config } from './config.ts'

// How long tokens are not verified after the keys of auth could not be read: each attempt may take seconds.
const RETRY_INTERVAL_MS = 5_000

/** The id of the account that an Authorization header is a genuine session of; undefined otherwise. */
type FindAccount = (authorization: string | undefined) => Promise<string | undefined>

/** Creates `FindAccount`. While the keys of auth cannot be read, no session is genuine. */
export const createFindAccount = (verifyToken: VerifyToken): FindAccount => {
  let retryAt = -Infinity
  return async (authorization) => {
    if (!authorization || performance.now() < retryAt) return undefined
    const verification = await verifyToken(authorization).catch((): TokenVerification => {
      retryAt = performance.now() + RETRY_INTERVAL_MS
      return { state: 'invalid' }
    })
    return verification.state === 'valid' ? verification.principal.userId : undefined
  }
}

/** Counts the requests that the gateway itself answers with an error. */
export const createRejectionCounter = (metrics: Metrics) => {
  const rejections = new Counter({
    name: 'gateway_refused_total',
    help: 'Requests that the gateway itself answered with an error, by error code',
    labelNames: ['code'] as const,
    registers: [metrics],
  })
  return (error: unknown): void => rejections.inc({ code: toAppError(error).code })
}
export type CountRejection = ReturnType<typeof createRejectionCounter>

interface Caller {
  /** As returned by `addressKey`. */
  address: string
  /** Of a genuine guest token. */
  guestId: string | undefined
  /** Of a genuine session. */
  userId: string | undefined
  /** An Authorization header, genuine or not. */
  authorization: string | undefined
}

interface PinCaller {
  guestId: string | undefined
  /** As returned by `addressKey`. */
  address: string
  eventId: string
  isRight: boolean
}

export interface RateLimits {
  /** Counts a request. Throws `tooManyRequests` if its caller has exceeded a limit. */
  consume: (caller: Caller) => Promise<void>
  /** Counts the report of an error in a browser. Throws `tooManyRequests` if this address has exceeded its limit. */
  consumeClientError: (address: string) => Promise<void>
  /** Counts a short code that no event has. Throws `tooManyRequests` if this address has exceeded its limit. */
  consumeUnknownCode: (address: string) => Promise<void>
  /**
   * Counts a typed PIN if it is wrong. Throws `tooManyRequests` if its guest, address or event has exceeded a limit, also if it
   * is right.
   */
  consumePin: (caller: PinCaller) => Promise<void>
  /** Counts a guest token for this address; false if the address has exceeded its limit. */
  mayIssueToken: (address: string) => Promise<boolean>
}

const message = 'Too many requests. Please try again in a moment.'

/**
 * Limits per guest, per account and per address. Thousands of guests share a venue's address: calls with a genuine guest
 * token or session count against that guest or account alone, and their address has only a cap far above a full hall.
 */
export const createRateLimits = (redis: Redis, config: Config): RateLimits => {
  const perMinute = (name: string, points: number) =>
    createRateLimiter({ redis, name, points, seconds: 60, message })
  const clientErrors = perMinute('gateway-client-error', config.CLIENT_ERRORS_PER_MINUTE)
  const unknownCodes = perMinute('gateway-unknown-code', config.UNKNOWN_CODES_PER_MINUTE)
  const wrongPins = (name: string, points: number) =>
    createRateLimiter({ redis, name: `gateway-pin-${name}`, points, seconds: 600, message })
  const pinsOfGuests = wrongPins('guest', config.WRONG_PINS_PER_GUEST)
  const pinsOfAddresses = wrongPins('address', config.WRONG_PINS_PER_ADDRESS)
  const pinsOfEvents = wrongPins('event', config.WRONG_PINS_PER_EVENT)
  const guests = perMinute('gateway-guest', config.GUEST_REQUESTS_PER_MINUTE)
  const members = perMinute('gateway-member', config.MEMBER_REQUESTS_PER_MINUTE)
  const addresses = perMinute('gateway-address', config.ADDRESS_REQUESTS_PER_MINUTE)
  const addressTotals = perMinute('gateway-address-total', config.ADDRESS_TOTAL_REQUESTS_PER_MINUTE)
  const genuine = perMinute('gateway-address-genuine', config.ADDRESS_GENUINE_REQUESTS_PER_MINUTE)
  const tokens = perMinute('gateway-token', config.GUEST_TOKENS_PER_MINUTE)

  const consumeOwn = ({ address, guestId, userId, authorization }: Caller): Promise<void> => {
    if (guestId) return guests.consume(guestId)
    if (userId) return members.consume(userId)
    if (authorization) return members.consume(createHash('sha256').update(authorization).digest('base64url'))
    return addresses.consume(address)
  }
  return {
    consume: async (caller) => {
      // The caller's own limit first: its rejected requests must not count against the others at its address.
      await consumeOwn(caller)
      await (caller.guestId || caller.userId ? genuine : addressTotals).consume(caller.address)
    },
    consumeClientError: clientErrors.consume,
    consumeUnknownCode: unknownCodes.consume,
    // Once it was compared, so that right ones of a full hall never count. Of many guesses at once, the right one is accepted
    // only if it is here before the wrong ones have used up a limit.
    consumePin: async ({ guestId, address, eventId, isRight }) => {
      const use = ({ check, consume }: RateLimiter, key: string) => (isRight ? check : consume)(key)
      // The narrowest first: what a guest or an address has too many of does not count against the others.
      if (guestId) await use(pinsOfGuests, guestId)
      await use(pinsOfAddresses, address)
      await use(pinsOfEvents, eventId)
    },
    mayIssueToken: async (address) => {
      try {
        await tokens.consume(address)
        return true
      } catch (error) {
        if (error instanceof AppError) return false
        throw error
      }
    },
  }
}
