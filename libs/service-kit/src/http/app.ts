import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { MB, type RouteContract } from '@confetti/contracts'
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import { notFound, timedOut } from '../errors.ts'
import { isProbe } from '../health.ts'
import { type Logger } from '../logger.ts'
import { withRequestId } from '../request-context.ts'
import { createRequestTimer, type Metrics } from '../metrics.ts'
import type { Service } from '../service.ts'
import type { VerifyToken } from '../token-verifier.ts'
import { sendError } from './error-response.ts'
import { loggablePath, traceRequests } from './trace-requests.ts'
import { mountRoute, type FindGuestByKey } from './mount-route.ts'
import type { AnyHandler, EventAccess, Handlers } from './route.ts'

/** How much of a body is read and discarded after its response. */
interface DrainLimits {
  timeoutMs: number
  maxBytes: number
}

/** For a body that is not media: more than any that a service accepts. */
const jsonDrainLimits: DrainLimits = { timeoutMs: 2_000, maxBytes: MB }

/**
 * For a response that may be sent before the request has ended, such as a rejection: keeps the connection open, even if
 * the client asked to close it. Closing a connection with unread data resets it, and the response is lost.
 */
export const keepConnectionOpen = (request: IncomingMessage, response: ServerResponse): void => {
  if (!request.complete && !response.headersSent) response.setHeader('Connection', 'keep-alive')
}

/**
 * After a response that was sent before the request had ended, reads and discards the rest of the request, because many
 * clients read a response only after sending everything. Stops reading after `maxBytes`, and closes the connection after
 * `timeoutMs`.
 */
const drainAfterResponse =
  ({ timeoutMs, maxBytes }: DrainLimits): RequestHandler =>
  (request, response, next) => {
    const shouldClose = !response.shouldKeepAlive
    response.once('finish', () => {
      const { socket } = request
      if (request.complete || request.destroyed) {
        if (shouldClose) socket.end()
        return
      }
      const timer = setTimeout(() => socket.destroy(), timeoutMs)
      request.once('close', () => {
        clearTimeout(timer)
        if (shouldClose) socket.end()
      })
      let bytes = 0
      request.unpipe()
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxBytes) request.pause()
      })
      request.resume()
    })
    next()
  }

/** Rejects a request that has not arrived whole after `timeoutMs`, however steadily its bytes arrive. */
const limitArrival =
  (timeoutMs: number): RequestHandler =>
  (request, response, next) => {
    const timer = setTimeout(() => {
      if (!request.complete)
        next(timedOut('The request took too long to arrive. Please check the connection and try again.'))
    }, timeoutMs)
    response.once('close', () => clearTimeout(timer))
    next()
  }

// The gateway ends a request sooner.
const MEDIA_DRAIN_TIMEOUT_MS = 60_000

const REQUEST_ID = /^[\w-]{8,64}$/

/** Assigns the request id: the caller's, if it is trusted and well-formed, otherwise a new one. */
const assignRequestId =
  (trustCaller: boolean): RequestHandler =>
  (request, response, next) => {
    const received = request.headers['x-request-id']
    const requestId =
      trustCaller && typeof received === 'string' && REQUEST_ID.test(received) ? received : randomUUID()
    request.headers['x-request-id'] = requestId
    response.setHeader('X-Request-Id', requestId)
    withRequestId(requestId, next)
  }

const logAndMeasure = (logger: Logger, metrics: Metrics): RequestHandler => {
  const timer = createRequestTimer(metrics)
  return (request, response, next) => {
    const startedAt = performance.now()
    const path = loggablePath(request.path)
    // Bound to this request's context: the event comes from the connection, which other requests share.
    const onClose = AsyncLocalStorage.bind(() => {
      const route = (response.locals.route as string | undefined) ?? 'other'
      const milliseconds = Math.round(performance.now() - startedAt)
      const finished = response.writableFinished
      const status = finished ? response.statusCode : 499
      timer.observe({ route, status }, milliseconds / 1_000)
      // A hall that looks at a gallery in which nothing changes would write hundreds of lines a second.
      const level = isProbe(path) || status === 304 ? 'debug' : 'info'
      logger[level](
        { method: request.method, path, status, milliseconds },
        finished ? 'request completed' : 'client disconnected',
      )
    })
    response.once('close', onClose)
    next()
  }
}

const handleErrors =
  (logger: Logger): ErrorRequestHandler =>
  (error, request, response, _next) => {
    sendError(response, error, { requestId: String(request.headers['x-request-id']), logger })
  }

type AppService = Pick<Service, 'config' | 'logger' | 'registry' | 'health'>

export interface BaseAppOptions {
  /** Whether callers are our own services, whose request ids and traces are continued. */
  trustCaller: boolean
  /** Whether a request is for a route that takes photos and videos. */
  carriesMedia: (request: Request) => boolean
  /** How long the rest of such a request is read after its response. */
  mediaDrainTimeoutMs: number
  /** Adds the routes, after the common middleware and before the error handler. */
  mount: (app: Express) => void
}

/** Creates an Express app with request ids, access log, request metrics, health routes, and errors as JSON. */
export const createBaseApp = (
  { config, logger, registry, health }: AppService,
  { trustCaller, carriesMedia, mediaDrainTimeoutMs, mount }: BaseAppOptions,
): Express => {
  const drainMedia = drainAfterResponse({ timeoutMs: mediaDrainTimeoutMs, maxBytes: Infinity })
  const drainJson = drainAfterResponse(jsonDrainLimits)
  const limitJsonArrival = limitArrival(config.REQUEST_TIMEOUT_MS)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(assignRequestId(trustCaller), traceRequests(trustCaller), logAndMeasure(logger, registry))
  app.use((request, response, next) => {
    if (carriesMedia(request)) drainMedia(request, response, next)
    else drainJson(request, response, () => limitJsonArrival(request, response, next))
  })
  health.mount(app)
  mount(app)
  app.use(() => {
    throw notFound('There is nothing at this address.')
  })
  app.use(handleErrors(logger))
  return app
}

/** Creates the HTTP side of a worker: health checks only. */
export const createWorkerApp = (service: AppService): Express =>
  createBaseApp(service, {
    trustCaller: true,
    carriesMedia: () => false,
    mediaDrainTimeoutMs: 0,
    mount: () => undefined,
  })

export interface ServiceAppOptions<Routes extends Readonly<Record<string, RouteContract>>, Event> {
  routes: Routes
  handlers: Handlers<Routes, Event>
  /** Where the access of a route is about an event. */
  events?: EventAccess<Event>
  /** Where guests have links of their own. */
  findGuestByKey?: FindGuestByKey
  verifyToken: VerifyToken
  maxJsonBytes: number
}

/** Creates the HTTP API of a service behind the gateway. */
export const createServiceApp = <Routes extends Readonly<Record<string, RouteContract>>, Event = undefined>(
  service: AppService,
  { routes, handlers, ...access }: ServiceAppOptions<Routes, Event>,
): Express =>
  createBaseApp(service, {
    trustCaller: true,
    carriesMedia: ({ method, path }) =>
      Object.values(routes).some(
        (route) => route.multipart && route.path === path && route.method === method.toLowerCase(),
      ),
    mediaDrainTimeoutMs: MEDIA_DRAIN_TIMEOUT_MS,
    mount: (app) => {
      // One hop: the gateway sets X-Forwarded-For.
      app.set('trust proxy', 1)
      app.use((_, response, next) => {
        response.setHeader('Cache-Control', 'no-store')
        next()
      })
      const options = { ...access, isDraining: service.health.isDraining }
      for (const [id, contract] of Object.entries(routes))
        mountRoute(app, contract, handlers[id] as AnyHandler, options)
    },
  })
