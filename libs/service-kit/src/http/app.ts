import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { notFound } from '../errors.ts'
import { isProbe, type Health } from '../health.ts'
import type { Logger } from '../logger.ts'
import { createRequestTimer, type Metrics } from '../metrics.ts'
import { withRequestId } from '../request-context.ts'
import type { TokenCheck } from '../token-check.ts'
import { sendError } from './error-response.ts'
import { mountRoute } from './mount-route.ts'
import type { AnyRoute } from './route.ts'
import { traceRequests } from './trace-requests.ts'

const REQUEST_ID = /^[\w-]{8,64}$/

/** Gives the request its id. Only the gateway, which makes its own, may ignore one that comes with it. */
const carryRequestId =
  (trustCaller: boolean): RequestHandler =>
  (request, response, next) => {
    const given = request.headers['x-request-id']
    const requestId =
      trustCaller && typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    request.headers['x-request-id'] = requestId
    response.setHeader('X-Request-Id', requestId)
    withRequestId(requestId, next)
  }

const observe = (logger: Logger, metrics: Metrics): RequestHandler => {
  const timer = createRequestTimer(metrics)
  return (request, response, next) => {
    const started = performance.now()
    const path = request.path
    // Bound, as an answer's end comes from its connection, which other requests share.
    const onClose = AsyncLocalStorage.bind(() => {
      const route = (response.locals.route as string | undefined) ?? 'other'
      const milliseconds = Math.round(performance.now() - started)
      const finished = response.writableFinished
      const status = finished ? response.statusCode : 499
      timer.observe({ route, status }, milliseconds / 1_000)
      const level = isProbe(path) ? 'debug' : 'info'
      logger[level](
        { method: request.method, path, status, milliseconds },
        finished ? 'answered' : 'caller left',
      )
    })
    response.once('close', onClose)
    next()
  }
}

const answerErrors =
  (logger: Logger): ErrorRequestHandler =>
  (error, request, response, _next) => {
    sendError(response, error, { requestId: String(request.headers['x-request-id']), logger })
  }

export interface BaseAppOptions {
  logger: Logger
  metrics: Metrics
  health: Health
  /** Whether who calls is one of ours: then its request id and its trace are gone on with. */
  trustCaller: boolean
  /** Puts the routes in between what every app begins and ends with. */
  mount: (app: Express) => void
}

/** An Express app with request ids, access log, request metrics, health routes, and errors as JSON. */
export const createBaseApp = ({ logger, metrics, health, trustCaller, mount }: BaseAppOptions): Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(carryRequestId(trustCaller), traceRequests(trustCaller), observe(logger, metrics))
  health.mount(app)
  mount(app)
  app.use(() => {
    throw notFound('There is nothing at this address.')
  })
  app.use(answerErrors(logger))
  return app
}

export interface ServiceAppOptions {
  routes: readonly AnyRoute[]
  checkToken: TokenCheck
  maxJsonBytes: number
  logger: Logger
  metrics: Metrics
  health: Health
}

/** The HTTP side of a service behind the gateway: its routes, and nothing else. */
export const createServiceApp = ({ routes, checkToken, maxJsonBytes, ...base }: ServiceAppOptions): Express =>
  createBaseApp({
    ...base,
    trustCaller: true,
    mount: (app) => {
      // One hop, the gateway, says whose address it is.
      app.set('trust proxy', 1)
      app.use((_, response, next) => {
        response.setHeader('Cache-Control', 'no-store')
        next()
      })
      for (const route of routes)
        mountRoute(app, route, { checkToken, maxJsonBytes, isDraining: base.health.draining })
    },
  })
