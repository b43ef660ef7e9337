import {
  addressKey,
  createBaseApp,
  type Logger,
  type Metrics,
  type createHealth,
} from '@confetti/service-kit'
import cors from 'cors'
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'
import helmet from 'helmet'
import type { Redis } from 'ioredis'
import { createBodyCheck } from './body-limits.ts'
import { clientAddress } from './client-address.ts'
import type { Config } from './config.ts'
import { mountDocs } from './docs.ts'
import { answerAhead, drainAfterAnswer } from './drain.ts'
import { createGuestTokens, GUEST_TOKEN_HEADER } from './guest-token.ts'
import { createProxy } from './proxy.ts'
import { createRateLimits } from './rate-limits.ts'
import { createRefusals, type CountRefusal } from './refusals.ts'
import { cleanHeaders } from './request-headers.ts'
import { findRoute, MethodNotAllowed, type ServiceName } from './route-table.ts'

const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    // For the page at /api/docs; nothing else that comes from here is a page.
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
})

const crossOrigin = (origins: readonly string[]): RequestHandler =>
  cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Cache-Control',
      'Pragma',
      'Expires',
      GUEST_TOKEN_HEADER,
    ],
    exposedHeaders: ['X-Request-Id', 'Retry-After', GUEST_TOKEN_HEADER],
    maxAge: 7_200,
  })

const beforeRefusal =
  (countRefusal: CountRefusal): ErrorRequestHandler =>
  (error, request, response, next) => {
    if (error instanceof MethodNotAllowed) response.setHeader('Allow', error.allow)
    countRefusal(error)
    answerAhead(request, response)
    next(error)
  }

export interface Deps {
  config: Config
  redis: Redis
  logger: Logger
  metrics: Metrics
  health: ReturnType<typeof createHealth>
}

/** The public API: judges each call by its first lines, then lets it stream to its service and back. */
export const createApp = ({ config, redis, logger, metrics, health }: Deps): Express => {
  const targets: Record<ServiceName, string> = {
    auth: config.AUTH_URL,
    events: config.EVENTS_URL,
    uploads: config.UPLOADS_URL,
    contact: config.CONTACT_URL,
  }
  const guestTokens = createGuestTokens(config.GUEST_TOKEN_SECRET)
  const limits = createRateLimits(redis, config)
  const checkBody = createBodyCheck(config)
  const countRefusal = createRefusals(metrics)
  const send = createProxy({
    connectTimeoutMs: config.CONNECT_TIMEOUT_MS,
    idleTimeoutMs: config.IDLE_TIMEOUT_MS,
    isDraining: health.draining,
    countRefusal,
    logger,
  })
  const callerOf = (request: Request) => ({
    address: addressKey(clientAddress(request)),
    guest: guestTokens.guestOf(request.headers['x-guest-token']),
    authorization: request.headers.authorization,
  })

  const limitRate: RequestHandler = async (request, _, next) => {
    await limits.take(callerOf(request))
    next()
  }
  const forward = async (request: Request, response: Response): Promise<void> => {
    const route = findRoute(request.method, request.url)
    response.locals.route = route.name
    checkBody(route, request.headers)
    const { address, guest, authorization } = callerOf(request)
    const isNewGuest = route.forGuests && !guest && (!authorization || route.multipart)
    if (isNewGuest && (await limits.mayHaveToken(address)))
      response.setHeader(GUEST_TOKEN_HEADER, guestTokens.issue())
    cleanHeaders(request)
    if (!response.destroyed) send(request, response, { target: targets[route.service], route })
  }

  return createBaseApp({
    logger,
    metrics,
    health,
    trustCaller: false,
    mount: (app) => {
      app.set('trust proxy', config.TRUSTED_PROXY_HOPS)
      app.use(
        drainAfterAnswer(config.LINGER_MS),
        securityHeaders,
        crossOrigin(config.SHELL_ORIGINS),
        limitRate,
      )
      mountDocs(app)
      app.use(forward)
      app.use(beforeRefusal(countRefusal))
    },
  })
}
