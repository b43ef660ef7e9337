import { clientErrorSources, MAX_CLIENT_ERROR_BYTES, reportClientError } from '@confetti/contracts'
import { addressKey, mountRoute, type RouteCall, type Service } from '@confetti/service-kit'
import { Router } from 'express'
import { Counter } from 'prom-client'
import type { RateLimits } from './rate-limits.ts'
import { clientAddress } from './request-headers.ts'

/**
 * Removes from an error's text what may name a person or grant access: queries and hashes of URLs, email addresses,
 * quoted text other than identifiers, and ids and tokens.
 */
export const removePersonalData = (text: string): string =>
  text
    .replaceAll(/(\/[^\s?#]*)[?#][^\s)]*/g, '$1')
    .replaceAll(/[^\s@/:"'<>()]+@[^\s@/:"'<>()]+\.[^\s@/:"'<>()]+/g, '[email]')
    .replaceAll(/"[^"]*"|“[^”]*”|`[^`]*`|'(?![\w$.]*')[^']*'/g, '[text]')
    .replaceAll(/(?=[\w-]*\d)[\w-]{20,}(?:\.[\w-]{20,})*/g, '[id]')

const MAX_ERROR_CHARACTERS = 300
const MAX_STACK_CHARACTERS = 2_000
const MAX_PAGE_CHARACTERS = 200

const clean = (text: string, maxCharacters: number): string =>
  removePersonalData(text).slice(0, maxCharacters)

/** Creates the handler that logs and counts errors in browsers. */
export const createClientErrors = ({ logger, registry, health }: Service, rateLimits: RateLimits): Router => {
  const errors = new Counter({
    name: 'client_errors_total',
    help: 'Errors in browsers, by the part of the site that failed',
    labelNames: ['remote'] as const,
    registers: [registry],
  })
  // From zero, so that the first errors are an increase.
  for (const remote of clientErrorSources) errors.inc({ remote }, 0)

  const report = ({
    body: { remote, release, page, error, stack = '' },
  }: RouteCall<typeof reportClientError>) => {
    errors.inc({ remote })
    logger.warn(
      {
        remote,
        release,
        page: clean(page, MAX_PAGE_CHARACTERS),
        error: clean(error, MAX_ERROR_CHARACTERS),
        stack: clean(stack, MAX_STACK_CHARACTERS),
      },
      'error in a browser',
    )
    return { message: 'The error was reported.' }
  }
  const router = Router()
  router.post(reportClientError.path, async (request, _, next) => {
    await rateLimits.consumeClientError(addressKey(clientAddress(request)))
    next()
  })
  mountRoute(router, reportClientError, report, {
    verifyToken: () => Promise.resolve({ state: 'absent' }),
    maxJsonBytes: MAX_CLIENT_ERROR_BYTES,
    isDraining: health.isDraining,
  })
  return router
}
