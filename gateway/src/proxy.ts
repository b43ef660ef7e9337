import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import {
  AppError,
  clientCall,
  failSpan,
  sendError,
  startSpan,
  timedOut,
  traceContext,
  unavailable,
  withinSpan,
  type Logger,
} from '@confetti/service-kit'
import type { Request, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { answerAhead } from './drain.ts'
import type { CountRefusal } from './refusals.ts'
import type { PublicRoute } from './route-table.ts'

const BUSY = 'The service is busy. Please try again in a moment.'

// Less than the 75 s for which the services keep a connection: the gateway is never the last to let go.
const KEPT_CONNECTION_MS = 30_000
// One that has just served is alive; one that has rested may be dead by now.
const FRESH_CONNECTION_MS = 2_000

const notFromServices = /^(?:access-control-.*|keep-alive|proxy-.*|server|x-powered-by)$/

/** One call on its way through the gateway. */
interface Exchange {
  target: string
  request: Request
  response: Response
  span: ReturnType<typeof startSpan>
  /** Runs what its connections have to tell as a part of this call: they also serve others. */
  within: ReturnType<typeof AsyncLocalStorage.snapshot>
  toService?: ClientRequest
  connected: boolean
  answered: boolean
  repeated: boolean
  over: boolean
}

export interface ProxyOptions {
  connectTimeoutMs: number
  idleTimeoutMs: number
  /** Whether this gateway is about to go. */
  isDraining: () => boolean
  countRefusal: CountRefusal
  logger: Logger
}

/** Sends a call on to a service and its answer back, as streams; whatever fails is answered as JSON. */
export const createProxy = ({
  connectTimeoutMs,
  idleTimeoutMs,
  isDraining,
  countRefusal,
  logger,
}: ProxyOptions) => {
  const exchanges = new WeakMap<IncomingMessage, Exchange>()

  const fail = (exchange: Exchange, error: AppError): void => {
    const { request, response, toService } = exchange
    if (exchange.over) return
    exchange.over = true
    countRefusal(error)
    failSpan(exchange.span, error)
    request.unpipe()
    toService?.destroy()
    answerAhead(request, response)
    sendError(response, error, { requestId: String(request.headers['x-request-id']), logger })
  }

  const onIdle = (exchange: Exchange): void => {
    const { request, response, toService } = exchange
    if (exchange.answered || exchange.over) {
      response.destroy()
      request.socket.destroy()
      return
    }
    // A service that reads no more makes the client look idle too.
    const serviceIsSlow = request.complete || toService?.writableNeedDrain
    fail(
      exchange,
      serviceIsSlow
        ? new AppError('gateway_timeout', 'The service took too long. Please try again.')
        : timedOut('Your files stopped arriving. Please check the connection and try again.'),
    )
  }

  const onRequest = (exchange: Exchange, toService: ClientRequest): void => {
    exchange.toService = toService
    const { socket } = toService
    // The caller may have left before there was anything to abort.
    if (exchange.over || !socket) {
      toService.destroy()
      return
    }
    toService.setTimeout(idleTimeoutMs, () => {
      // Till then the time limit of connecting holds, and this one is the agent's.
      if (exchange.connected) exchange.within(onIdle, exchange)
    })
    exchange.connected = !socket.connecting
    if (exchange.connected) return
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection in ${connectTimeoutMs} ms`)),
      connectTimeoutMs,
    )
    socket
      .once('close', () => clearTimeout(timer))
      .once('connect', () => {
        exchange.connected = true
        clearTimeout(timer)
      })
  }

  const onAnswer = (exchange: Exchange, answer: IncomingMessage): void => {
    const { request, response } = exchange
    exchange.answered = true
    exchange.span.setAttribute('http.response.status_code', answer.statusCode ?? 0)
    // What the gateway says stands: the request id, security headers, which pages may read the answer.
    answer.headers = Object.fromEntries(
      Object.entries(answer.headers).filter(
        ([name]) => !response.hasHeader(name) && !notFromServices.test(name),
      ),
    )
    // While the gateway goes, each answer ends its connection: a call that came on it later might meet its end.
    const mayStay = response.shouldKeepAlive && !isDraining()
    answer.headers.connection = mayStay || !request.complete ? 'keep-alive' : 'close'
    answer.once('close', () => {
      if (!answer.complete) response.destroy()
    })
    answer.on('error', () => response.destroy())
  }

  const onError = (exchange: Exchange, error: Error): void => {
    const { request, toService } = exchange
    // An answer that has begun speaks for itself; its own end or death is seen in `onAnswer`.
    if (exchange.over || exchange.answered) return
    if (request.method === 'GET' && toService?.reusedSocket && !exchange.repeated) {
      exchange.repeated = true
      void onNewConnection(request, exchange.response)
      return
    }
    const broken = () => new AppError('bad_gateway', BUSY, { retryAfterSeconds: 2, cause: error })
    fail(exchange, exchange.connected ? broken() : unavailable(BUSY, 2, error))
  }

  const withExchange =
    <T>(work: (exchange: Exchange, event: T) => void) =>
    (event: T, request: IncomingMessage) => {
      const exchange = exchanges.get(request)
      exchange?.within(work, exchange, event)
    }
  const createSender = (agent: Agent) =>
    createProxyMiddleware<Request, Response>({
      agent,
      router: (request) => exchanges.get(request)?.target,
      changeOrigin: true,
      // The path as it was judged, not as a parser of the library's understands it.
      toProxy: true,
      // Its own handlers write answers that name the service's host.
      ejectPlugins: true,
      plugins: [
        (proxy) => {
          proxy.on('proxyReq', (toService, request) => withExchange(onRequest)(toService, request))
          proxy.on('proxyRes', (answer, request) => withExchange(onAnswer)(answer, request))
          proxy.on('error', (error, request) => withExchange(onError)(error, request))
          // The caller is gone; `close` of the response has done all there is to do.
          proxy.on('econnreset', () => undefined)
        },
      ],
    })

  const onKeptConnection = createSender(new Agent({ keepAlive: true, timeout: KEPT_CONNECTION_MS }))
  // For what cannot be sent again. In a burst not a connection each: a service takes in one new connection each
  // time that it has gone through all others, ten in a second when it is busy.
  const onFreshConnection = createSender(new Agent({ keepAlive: true, timeout: FRESH_CONNECTION_MS }))
  const onNewConnection = createSender(new Agent())

  return (
    request: Request,
    response: Response,
    { target, route }: { target: string; route: PublicRoute },
  ): void => {
    const attributes = clientCall(route.method, new URL(request.path, target), route.path)
    const span = startSpan(route.name, { kind: 'client', attributes })
    Object.assign(request.headers, withinSpan(span, traceContext))
    const exchange: Exchange = {
      target,
      request,
      response,
      span,
      within: AsyncLocalStorage.snapshot(),
      connected: false,
      answered: false,
      repeated: false,
      over: false,
    }
    exchanges.set(request, exchange)
    response.once('close', () => {
      exchange.over = true
      if (!response.writableFinished) exchange.toService?.destroy()
      // The service answered ahead of the request's end; nobody needs the rest.
      else if (!request.complete) exchange.toService?.destroy()
      span.end()
    })
    response.on('timeout', () => exchange.within(onIdle, exchange))
    void (request.method === 'GET' ? onKeptConnection : onFreshConnection)(request, response)
  }
}
