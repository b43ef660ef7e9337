import type { IncomingHttpHeaders } from 'node:http'
import { fileURLToPath } from 'node:url'
import {
  GUEST_KEY_HEADER,
  maxUploadRequestBytes,
  MB,
  openApiDocument,
  publicRoutes,
  EVENT_PASS_HEADER,
  WALL_KEY_HEADER,
} from '@confetti/contracts'
import {
  addressKey,
  createBaseApp,
  createJwksSignatureVerifier,
  invalid,
  keepConnectionOpen,
  tooLarge,
  unavailable,
  type Service,
} from '@confetti/service-kit'
import cors from 'cors'
import {
  Router,
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import helmet from 'helmet'
import type { Redis } from 'ioredis'
import { createClientErrors } from './client-errors.ts'
import { createCodes } from './codes.ts'
import { createPasses } from './passes.ts'
import { createCompression } from './compression.ts'
import type { Config } from './config.ts'
import { createPreviews } from './previews.ts'
import { createProxy, type EndlessResponses } from './proxy.ts'
import {
  createFindAccount,
  createRateLimits,
  createRejectionCounter,
  type CountRejection,
} from './rate-limits.ts'
import { clientAddress, createGuestTokens, GUEST_TOKEN_HEADER, sanitizeHeaders } from './request-headers.ts'
import { findRoute, MethodNotAllowedError, type PublicRoute, type UpstreamService } from './route-table.ts'

const ownFile = (name: string): string => fileURLToPath(new URL(`../docs/${name}`, import.meta.url))
const swaggerUi = (name: string): string => fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))

const files = {
  '/api/docs': ownFile('index.html'),
  '/api/docs/init.js': ownFile('init.js'),
  '/api/docs/favicon-32x32.png': swaggerUi('favicon-32x32.png'),
  '/api/docs/swagger-ui.css': swaggerUi('swagger-ui.css'),
  '/api/docs/swagger-ui-bundle.js': swaggerUi('swagger-ui-bundle.js'),
}

/** Serves `/api/openapi.json` and the page `/api/docs` with all the files that it loads. */
const mountDocs = (app: Express): void => {
  const document = openApiDocument(publicRoutes)
  app.get('/api/openapi.json', (_, response) => {
    response.locals.route = 'GET /api/openapi.json'
    response.json(document)
  })
  for (const [path, file] of Object.entries(files))
    app.get(path, (_, response) => {
      response.locals.route = 'GET /api/docs'
      // A part of a file that is compressed otherwise would be of other bytes.
      response.sendFile(file, { acceptRanges: false })
    })
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / MB).toLocaleString('en')} MB`

/** Creates a check that rejects a body by its headers alone, where its service would reject it after reading it. */
const createBodyCheck = (config: Config) => {
  const maxUploadBytes = maxUploadRequestBytes(config)
  return (route: PublicRoute, headers: IncomingHttpHeaders): void => {
    const bytes = Number(headers['content-length'] ?? 0)
    const encoding = headers['transfer-encoding']
    // Node does not frame the body of a GET or DELETE that it sends: the service would read it as a second request.
    if (!route.acceptsBody && (bytes > 0 || encoding !== undefined))
      throw invalid('This request must not have a body.')
    if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
      throw invalid('The request could not be read.')
    if (route.isMultipart && bytes > maxUploadBytes)
      throw tooLarge(
        `That is more than ${megabytes(maxUploadBytes)} at once. Please send fewer or smaller files.`,
      )
    if (!route.isMultipart && bytes > config.MAX_JSON_BYTES) throw tooLarge('The request is too large.')
  }
}

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
      'If-None-Match',
      'Range',
      'Last-Event-ID',
      GUEST_TOKEN_HEADER,
      GUEST_KEY_HEADER,
      WALL_KEY_HEADER,
      EVENT_PASS_HEADER,
    ],
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'ETag', GUEST_TOKEN_HEADER],
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

/** The public API: checks each request by its head, then streams it to its service and the response back. */
export const createApp = (
  service: Service<Config>,
  { redis, endlessResponses }: { redis: Redis; endlessResponses: EndlessResponses },
): Express => {
  const { config, clock, logger, registry, health } = service
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
  const countRejection = createRejectionCounter(registry)
  const forward = createProxy({
    connectTimeoutMs: config.CONNECT_TIMEOUT_MS,
    idleTimeoutMs: config.IDLE_TIMEOUT_MS,
    isDraining: health.isDraining,
    endlessResponses,
    countRejection,
    logger,
  })
  const codes = createCodes(service, rateLimits)
  const ownRoutes = Router().use(
    createClientErrors(service, rateLimits),
    codes.router,
    createPasses(service, rateLimits, guestTokens.verify),
    createPreviews(service, codes),
  )
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
      ownRoutes(request, response, next)
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

  return createBaseApp(service, {
    trustCaller: false,
    carriesMedia,
    mediaDrainTimeoutMs: config.DRAIN_TIMEOUT_MS,
    mount: (app) => {
      app.set('trust proxy', config.TRUSTED_PROXY_HOPS)
      app.use(securityHeaders, allowOrigins(config.SHELL_ORIGINS), createCompression(), limitRate)
      mountDocs(app)
      app.use(handleApiRequest)
      app.use(prepareRejection(countRejection))
    },
  })
}
