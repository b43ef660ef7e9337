import { WALL_KEY_HEADER } from '@confetti/contracts'
import {
  addressKey,
  createBaseApp,
  createJwksSignatureVerifier,
  keepConnectionOpen,
  unavailable,
  type BaseAppOptions,
  type Clock,
} from '@confetti/service-kit'
import cors from 'cors'
import type { ErrorRequestHandler, Express, NextFunction, Request, RequestHandler, Response } from 'express'
import helmet from 'helmet'
import type { Redis } from 'ioredis'
import { createBodyCheck } from './body-limits.ts'
import { clientAddress } from './client-address.ts'
import { createClientErrors } from './client-errors.ts'
import type { Config } from './config.ts'
import { mountDocs } from './docs.ts'
import type { EndlessResponses } from './endless-responses.ts'
import { createFindAccount } from './find-account.ts'
import { createGuestTokens, GUEST_TOKEN_HEADER } from './guest-token.ts'
import { createProxy } from './proxy.ts'
import { createRateLimits } from './rate-limits.ts'
import { createRejectionCounter, type CountRejection } from './rejection-counter.ts'
import { sanitizeHeaders } from './request-headers.ts'
import { findRoute, MethodNotAllowedError, type UpstreamService } from './route-table.ts'

const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    // For the page at /api/docs, the only one that the gateway serves.
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

const allowOrigins = (origins: readonly string[]): RequestHandler =>
  cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Cache-Control',
      'Pragma',
      'Expires',
      'Range',
      'Last-Event-ID',
      GUEST_TOKEN_HEADER,
      WALL_KEY_HEADER,
    ],
    exposedHeaders: ['X-Request-Id', 'Retry-After', GUEST_TOKEN_HEADER],
    maxAge: 7_200,
  })

/** Whether the request is for a route that takes photos and videos. */
const carriesMedia = ({ method, url }: Request): boolean => {
  try {
    return findRoute(method, url).isMultipart
  } catch {
    return false
  }
}

const prepareRejection =
  (countRejection: CountRejection): ErrorRequestHandler =>
  (error, request, response, next) => {
    if (error instanceof MethodNotAllowedError) response.setHeader('Allow', error.allow)
    countRejection(error)
    keepConnectionOpen(request, response)
    next(error)
  }

interface Deps extends Pick<BaseAppOptions, 'logger' | 'metrics' | 'health'> {
  config: Config
  redis: Redis
  endlessResponses: EndlessResponses
  clock: Clock
}

/** The public API: checks each request by its head, then streams it to its service and the response back. */
export const createApp = ({
  config,
  redis,
  endlessResponses,
  clock,
  logger,
  metrics,
  health,
}: Deps): Express => {
  const serviceUrls: Record<UpstreamService, string> = {
    auth: config.AUTH_URL,
    events: config.EVENTS_URL,
    uploads: config.UPLOADS_URL,
    contact: config.CONTACT_URL,
    notifications: config.NOTIFICATIONS_URL,
    live: config.LIVE_URL,
  }
  const guestTokens = createGuestTokens(config.GUEST_TOKEN_SECRET)
  const findAccount = createFindAccount(
    createJwksSignatureVerifier(
      { ...config, AUTH_JWKS_URL: new URL('/.well-known/jwks.json', config.AUTH_URL).href },
      clock,
    ),
  )
  const rateLimits = createRateLimits(redis, config)
  const checkBody = createBodyCheck(config)
  const countRejection = createRejectionCounter(metrics)
  const forward = createProxy({
    connectTimeoutMs: config.CONNECT_TIMEOUT_MS,
    idleTimeoutMs: config.IDLE_TIMEOUT_MS,
    isDraining: health.isDraining,
    endlessResponses,
    countRejection,
    logger,
  })
  const clientErrors = createClientErrors({ rateLimits, logger, metrics, health })
  const identifyCaller = (request: Request) => ({
    address: addressKey(clientAddress(request)),
    guestId: guestTokens.verify(request.headers['x-guest-token']),
    authorization: request.headers.authorization,
  })

  const limitRate: RequestHandler = async (request, _, next) => {
    const caller = identifyCaller(request)
    const userId = caller.guestId ? undefined : await findAccount(caller.authorization)
    await rateLimits.consume({ ...caller, userId })
    next()
  }
  const handleApiRequest = async (
    request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<void> => {
    const route = findRoute(request.method, request.url)
    response.locals.route = route.name
    checkBody(route, request.headers)
    if (route.service === 'gateway') {
      clientErrors(request, response, next)
      return
    }
    if (route.isEndless && health.isDraining())
      throw unavailable('The service is restarting. Please try again.', 1)
    const { address, guestId, authorization } = identifyCaller(request)
    const isNewGuest = route.issuesGuestTokens && !guestId && (!authorization || route.isMultipart)
    const issuedToken =
      isNewGuest && (await rateLimits.mayIssueToken(address)) ? guestTokens.issue() : undefined
    if (issuedToken) response.setHeader(GUEST_TOKEN_HEADER, issuedToken)
    sanitizeHeaders(request, { guestId, issuedGuestId: guestTokens.verify(issuedToken) })
    if (!response.destroyed) forward(request, response, { targetUrl: serviceUrls[route.service], route })
  }

  return createBaseApp({
    logger,
    metrics,
    health,
    trustCaller: false,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    carriesMedia,
    mediaDrainTimeoutMs: config.DRAIN_TIMEOUT_MS,
    mount: (app) => {
      app.set('trust proxy', config.TRUSTED_PROXY_HOPS)
      app.use(securityHeaders, allowOrigins(config.SHELL_ORIGINS), limitRate)
      mountDocs(app)
      app.use(handleApiRequest)
      app.use(prepareRejection(countRejection))
    },
  })
}
