import { findEventByCode, getEventIdByCode, parseShortCode } from '@confetti/contracts'
import {
  addressKey,
  AppError,
  callService,
  mountRoute,
  notFound,
  type RouteCall,
  type Service,
} from '@confetti/service-kit'
import { Router } from 'express'
import { Counter } from 'prom-client'
import type { Config } from './config.ts'
import type { RateLimits } from './rate-limits.ts'
import { clientAddress } from './request-headers.ts'

const results = ['found', 'unknown', 'limited'] as const

/**
 * Creates the handler that finds events by their short codes. The gateway itself handles it, because it knows the addresses
 * of those who guess. A hall shares one: a code that an event has is found however many others were unknown.
 */
export const createCodes = ({ config, registry, health }: Service<Config>, rateLimits: RateLimits) => {
  const lookups = new Counter({
    name: 'short_code_lookups_total',
    help: 'Short codes that were looked up, by whether an event has them; of limited ones no event has them either',
    labelNames: ['result'] as const,
    registers: [registry],
  })
  // From zero, so that the first ones are an increase.
  for (const result of results) lookups.inc({ result }, 0)

  /** The event that has the code of a request. Throws `notFound`, and `tooManyRequests` where its address guesses. */
  const findEvent = async ({
    params,
    address,
    request,
  }: Pick<RouteCall<typeof findEventByCode>, 'params' | 'address' | 'request'>) => {
    const code = parseShortCode(params.code)
    const event = code && (await callService(config.EVENTS_URL, getEventIdByCode, { code }))
    if (event) {
      lookups.inc({ result: 'found' })
      return event
    }
    try {
      await rateLimits.consumeUnknownCode(addressKey(clientAddress({ ip: address, socket: request.socket })))
    } catch (error) {
      if (error instanceof AppError) lookups.inc({ result: 'limited' })
      throw error
    }
    lookups.inc({ result: 'unknown' })
    throw notFound('There is no event with this code.', { code: 'code_not_found' })
  }
  const router = Router()
  mountRoute(router, findEventByCode, findEvent, {
    verifyToken: () => Promise.resolve({ state: 'absent' }),
    maxJsonBytes: config.MAX_JSON_BYTES,
    isDraining: health.isDraining,
  })
  return { router, findEvent }
}
export type Codes = ReturnType<typeof createCodes>
