import { createEventPass, getEventPin } from '@confetti/contracts'
import {
  addressKey,
  callService,
  eventNotFound,
  invalid,
  isLinkKey,
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
    help: 'PINs of events that guests have typed, by result; limited ones were not compared',
    labelNames: ['result'] as const,
    registers: [registry],
  })
  // From zero, so that the first ones are an increase.
  for (const result of results) pins.inc({ result }, 0)

  const create = async ({ params, body, address, request }: RouteCall<typeof createEventPass>) => {
    const { eventId } = params
    const event = await callService(config.EVENTS_URL, getEventPin, { eventId })
    if (!event) throw eventNotFound()
    const { pin, pinKey, pinInLinks } = event
    const wrong = () => invalid('This PIN is wrong.', { code: 'pin_wrong' })
    if ('key' in body) {
      if (pinInLinks === 'off' || !isLinkKey(body.key, eventId, pinKey)) throw wrong()
      return issuePass(eventId, pinKey, clock())
    }
    const takeBack = await rateLimits
      .consumePin({
        guestId: verifyGuestToken(request.headers['x-guest-token']),
        address: addressKey(clientAddress({ ip: address, socket: request.socket })),
        eventId,
      })
      .catch((error: unknown) => {
        pins.inc({ result: 'limited' })
        throw error
      })
    const isRight = body.pin.trim().toLowerCase() === pin.toLowerCase()
    pins.inc({ result: isRight ? 'right' : 'wrong' })
    if (!isRight) throw wrong()
    await takeBack()
    return issuePass(eventId, pinKey, clock())
  }
  const router = Router()
  mountRoute(
    router,
    createEventPass,
    { check: () => Promise.resolve(), handle: create },
    {
      verifyToken: () => Promise.resolve({ state: 'absent' }),
      maxJsonBytes: config.MAX_JSON_BYTES,
      isDraining: health.isDraining,
    },
  )
  return router
}
