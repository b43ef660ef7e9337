import { createEventPass, getEventCopy, getEventPin, normalisePin } from '@confetti/contracts'
import {
  addressKey,
  AppError,
  callService,
  eventNotFound,
  invalid,
  isSameSecret,
  issuePass,
  mountRoute,
  type RouteCall,
  type Service,
} from '@confetti/service-kit'
import { Router } from 'express'
import { Counter } from 'prom-client'
import type { Config } from './config.ts'
import type { RateLimits } from './rate-limits.ts'
import { clientAddress } from './request-headers.ts'

const results = ['right', 'wrong', 'limited'] as const

/**
 * Creates the handler that gives passes to guests of events with a PIN. The gateway itself handles it, because it knows the
 * addresses of those who guess. Keys of links are too long to guess, and never limited.
 */
export const createPasses = (
  { config, clock, registry, health }: Service<Config>,
  rateLimits: RateLimits,
  verifyGuestToken: (token: string | string[] | undefined) => string | undefined,
): Router => {
  const pins = new Counter({
    name: 'event_pins_total',
    help: 'PINs of events that guests have typed, by result; of limited ones nobody is told whether they were right',
    labelNames: ['result'] as const,
    registers: [registry],
  })
  // From zero, so that the first ones are an increase.
  for (const result of results) pins.inc({ result }, 0)

  const check = async ({ params }: Pick<RouteCall<typeof createEventPass>, 'params'>): Promise<void> => {
    if (!(await callService(config.EVENTS_URL, getEventCopy, params))) throw eventNotFound()
  }
  const create = async ({ params, body, address, request }: RouteCall<typeof createEventPass>) => {
    const { eventId } = params
    const event = await callService(config.EVENTS_URL, getEventPin, { eventId })
    if (!event) throw eventNotFound()
    const { pin, linkKey, pinHash } = event
    const isRight =
      body.key === undefined
        ? isSameSecret(normalisePin(body.pin ?? ''), normalisePin(pin))
        : linkKey !== undefined && isSameSecret(body.key, linkKey)
    if (body.key === undefined) {
      const guestId = verifyGuestToken(request.headers['x-guest-token'])
      const client = addressKey(clientAddress({ ip: address, socket: request.socket }))
      try {
        await rateLimits.consumePin({ guestId, address: client, eventId, isRight })
      } catch (error) {
        if (error instanceof AppError) pins.inc({ result: 'limited' })
        throw error
      }
      pins.inc({ result: isRight ? 'right' : 'wrong' })
    }
    if (!isRight) throw invalid('This PIN is wrong.', { code: 'pin_wrong' })
    return issuePass(eventId, pinHash, clock())
  }
  const router = Router()
  mountRoute(
    router,
    createEventPass,
    { check, handle: create },
    {
      verifyToken: () => Promise.resolve({ state: 'absent' }),
      maxJsonBytes: config.MAX_JSON_BYTES,
      isDraining: health.isDraining,
    },
  )
  return router
}
