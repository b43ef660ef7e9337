import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { RouteContract } from '@confetti/contracts'
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import { notFound } from '../errors.ts'
import { isProbe, type Health } from '../health.ts'
import type { Logger } from '../logger.ts'
import { createRequestTimer, type Metrics } from '../metrics.ts'
import { withRequestId } from '../request-context.ts'
import type { VerifyToken } from '../token-verifier.ts'
import { sendError } from './error-response.ts'
import { drainAfterResponse, jsonDrainLimits } from './drain.ts'
import { limitArrival } from './limit-arrival.ts'
import { loggablePath } from './loggable-path.ts'
import { mountRoute } from './mount-route.ts'
import type { AnyHandler, EventAccess, Handlers } from './route.ts'
import { traceRequests } from './trace-requests.ts'

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
      const level = isProbe(path) ? 'debug' : 'info'
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

export interface BaseAppOptions {
  logger: Logger
  metrics: Metrics
  health: Health
  /** Whether callers are our own services, whose request ids and traces are continued. */
  trustCaller: boolean
  /** A request that carries no media must have arrived whole after this time. */
  requestTimeoutMs: number
  /** Whether a request is for a route that takes photos and videos. */
  carriesMedia: (request: Request) => boolean
  /** How long the rest of such a request is read after its response. */
  mediaDrainTimeoutMs: number
  /** Adds the routes, after the common middleware and before the error handler. */
  mount: (app: Express) => void
}

/** Creates an Express app with request ids, access log, request metrics, health routes, and errors as JSON. */
export const createBaseApp = ({
  logger,
  metrics,
  health,
  trustCaller,
  requestTimeoutMs,
  carriesMedia,
  mediaDrainTimeoutMs,
  mount,
}: BaseAppOptions): Express => {
  const drainMedia = drainAfterResponse({ timeoutMs: mediaDrainTimeoutMs, maxBytes: Infinity })
  const drainJson = drainAfterResponse(jsonDrainLimits)
  const limitJsonArrival = limitArrival(requestTimeoutMs)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(assignRequestId(trustCaller), traceRequests(trustCaller), logAndMeasure(logger, metrics))
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
export const createWorkerApp = (
  options: Pick<BaseAppOptions, 'logger' | 'metrics' | 'health' | 'requestTimeoutMs'>,
): Express =>
  createBaseApp({
    ...options,
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
  verifyToken: VerifyToken
  maxJsonBytes: number
  requestTimeoutMs: number
  logger: Logger
  metrics: Metrics
  health: Health
}

/** Creates the HTTP API of a service behind the gateway. */
export const createServiceApp = <Routes extends Readonly<Record<string, RouteContract>>, Event = undefined>({
  routes,
  handlers,
  events,
  verifyToken,
  maxJsonBytes,
  ...base
}: ServiceAppOptions<Routes, Event>): Express =>
  createBaseApp({
    ...base,
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
      const options = { verifyToken, events, maxJsonBytes, isDraining: base.health.isDraining }
      for (const [id, contract] of Object.entries(routes))
        mountRoute(app, contract, handlers[id] as AnyHandler, options)
    },
  })
