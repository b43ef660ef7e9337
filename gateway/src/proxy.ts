import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AppError,
  httpClientAttributes,
  injectTraceContext,
  keepConnectionOpen,
  loggablePath,
  recordSpanError,
  sendError,
  startSpan,
  timedOut,
  unavailable,
  withActiveSpan,
  type Logger,
} from '@confetti/service-kit'
import type { Request, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import type { CountRejection } from './rate-limits.ts'
import type { PublicRoute } from './route-table.ts'

export interface EndlessResponses {
  /** Adds a response that continues until `end` is called. Returns a function that removes it. */
  add: (end: () => void) => () => void
  /** Ends all responses, at random moments within `durationMs`, so that their clients do not return all at once. */
  drain: (durationMs: number) => Promise<void>
}

/** The open responses that a shutdown must end, because it would wait for them as long as for the largest upload. */
export const createEndlessResponses = (): EndlessResponses => {
  const open = new Set<() => void>()
  return {
    add: (end) => {
      open.add(end)
      return () => open.delete(end)
    },
    drain: async (durationMs) => {
      const endLater = async (end: () => void): Promise<void> => {
        await sleep(Math.random() * durationMs)
        if (open.has(end)) end()
      }
      await Promise.all([...open].map(endLater))
    },
  }
}

const SERVICE_BUSY = 'The service is busy. Please try again in a moment.'
const RETRY_AFTER_SECONDS = 2

// Less than the 75 s after which the services close idle connections.
const READ_KEEP_ALIVE_MS = 30_000
// Writes cannot be retried, so they only reuse connections that served a request a moment ago and are surely alive.
// A new connection for each write would be slow in a burst: a busy service takes long to accept it.
const WRITE_KEEP_ALIVE_MS = 2_000

/** Whether a request can be sent again. */
const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

const removedResponseHeaders = /^(?:access-control-.*|keep-alive|proxy-.*|server|x-powered-by)$/

/** Those of our own that a 304 needs. The client has the others with the answer that it keeps (RFC 9110, 15.4.5). */
const notModifiedHeaders = /^(?:access-control-.*|vary|x-guest-token|x-request-id)$/

/** A request on its way to a service. */
interface ProxiedRequest {
  targetUrl: string
  request: Request
  response: Response
  span: ReturnType<typeof startSpan>
  /** Runs a callback in the async context of this request; a pooled connection calls back in that of another one. */
  runInContext: ReturnType<typeof AsyncLocalStorage.snapshot>
  upstreamRequest?: ClientRequest
  upstreamResponse?: IncomingMessage
  isConnected: boolean
  isRetried: boolean
  isClosed: boolean
}

interface Deps {
  connectTimeoutMs: number
  idleTimeoutMs: number
  /** Whether the gateway is shutting down. */
  isDraining: () => boolean
  endlessResponses: EndlessResponses
  countRejection: CountRejection
  logger: Logger
}

/** Streams requests to the services and their responses back. Failures become JSON errors. */
export const createProxy = ({
  connectTimeoutMs,
  idleTimeoutMs,
  isDraining,
  endlessResponses,
  countRejection,
  logger,
}: Deps) => {
  const proxiedRequests = new WeakMap<IncomingMessage, ProxiedRequest>()

  const fail = (proxied: ProxiedRequest, error: AppError): void => {
    const { request, response, upstreamRequest } = proxied
    if (proxied.isClosed) return
    proxied.isClosed = true
    countRejection(error)
    recordSpanError(proxied.span, error)
    request.unpipe()
    upstreamRequest?.destroy()
    keepConnectionOpen(request, response)
    sendError(response, error, { requestId: String(request.headers['x-request-id']), logger })
  }

  const onIdle = (proxied: ProxiedRequest): void => {
    const { request, response, upstreamRequest } = proxied
    if (proxied.upstreamResponse || proxied.isClosed) {
      response.destroy()
      request.socket.destroy()
      return
    }
    // The client also looks idle while the service does not read.
    const isServiceIdle = request.complete || upstreamRequest?.writableNeedDrain
    fail(
      proxied,
      isServiceIdle
        ? new AppError('gateway_timeout', 'The service took too long. Please try again.')
        : timedOut('Your files stopped arriving. Please check the connection and try again.'),
    )
  }

  const onUpstreamRequest = (proxied: ProxiedRequest, upstreamRequest: ClientRequest): void => {
    proxied.upstreamRequest = upstreamRequest
    const { socket } = upstreamRequest
    // The client may have disconnected before there was a request to abort.
    if (proxied.isClosed || !socket) {
      upstreamRequest.destroy()
      return
    }
    // The library sets `Connection: close` for a chunked body. A service that responds before the end of the body
    // would then reset the connection, and the response could be lost.
    if (upstreamRequest.hasHeader('transfer-encoding')) upstreamRequest.setHeader('connection', 'keep-alive')
    upstreamRequest.setTimeout(idleTimeoutMs, () => {
      // Until it is connected, the connect timeout applies; this event is then one of the agent's timeout.
      if (proxied.isConnected) proxied.runInContext(onIdle, proxied)
    })
    proxied.isConnected = !socket.connecting
    if (proxied.isConnected) return
    const destroyUnlessConnected = (): void => {
      if (!proxied.isConnected) socket.destroy(new Error(`no connection within ${connectTimeoutMs} ms`))
    }
    // A process that was held up learns of its timers before it learns of connections that were made meanwhile.
    const timer = setTimeout(() => setImmediate(destroyUnlessConnected), connectTimeoutMs)
    socket
      .once('close', () => clearTimeout(timer))
      .once('connect', () => {
        proxied.isConnected = true
        clearTimeout(timer)
      })
  }

  const onUpstreamResponse = (proxied: ProxiedRequest, upstreamResponse: IncomingMessage): void => {
    const { request, response } = proxied
    proxied.upstreamResponse = upstreamResponse
    proxied.span.setAttribute('http.response.status_code', upstreamResponse.statusCode ?? 0)
    if (upstreamResponse.statusCode === 304)
      for (const name of response.getHeaderNames())
        if (!notModifiedHeaders.test(name)) response.removeHeader(name)
    // Headers that the gateway has set take precedence: request id, security headers, CORS. A page of a service has a
    // policy of its own, with the hashes of its script.
    upstreamResponse.headers = Object.fromEntries(
      Object.entries(upstreamResponse.headers).filter(
        ([name]) =>
          (!response.hasHeader(name) || name === 'content-security-policy') &&
          !removedResponseHeaders.test(name),
      ),
    )
    // During a shutdown every response closes its connection, so that no later request arrives on it.
    const isKeptAlive = response.shouldKeepAlive && !isDraining()
    upstreamResponse.headers.connection = isKeptAlive || !request.complete ? 'keep-alive' : 'close'
  }

  /** Ends a response that has begun as if its service had. */
  const endResponse = ({ response, upstreamRequest, upstreamResponse }: ProxiedRequest): void => {
    upstreamResponse?.unpipe(response)
    response.end()
    upstreamRequest?.destroy()
  }

  const onError = (proxied: ProxiedRequest, error: Error): void => {
    const { request, response, upstreamRequest } = proxied
    // If the response has begun, the library closes the client's connection.
    if (proxied.isClosed || proxied.upstreamResponse) return
    if (isRead(request) && upstreamRequest?.reusedSocket && !proxied.isRetried) {
      proxied.isRetried = true
      // The library listens once more to the response.
      response.setMaxListeners(2 * response.getMaxListeners())
      void retryRead(request, response)
      return
    }
    const badGateway = () =>
      new AppError('bad_gateway', SERVICE_BUSY, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
    fail(proxied, proxied.isConnected ? badGateway() : unavailable(SERVICE_BUSY, RETRY_AFTER_SECONDS, error))
  }

  const inContext =
    <T>(handle: (proxied: ProxiedRequest, event: T) => void) =>
    (event: T, request: IncomingMessage | undefined) => {
      const proxied = request && proxiedRequests.get(request)
      proxied?.runInContext(handle, proxied, event)
    }
  const createForwarder = (agent: Agent) =>
    createProxyMiddleware<Request, Response>({
      agent,
      router: (request) => {
        const proxied = proxiedRequests.get(request)
        if (!proxied) throw new Error('The request was not registered.')
        return proxied.targetUrl
      },
      changeOrigin: true,
      // The default plugins answer errors with text that names hosts.
      ejectPlugins: true,
      plugins: [
        (proxy) => {
          proxy.on('proxyReq', (upstream, request) => inContext(onUpstreamRequest)(upstream, request))
          proxy.on('proxyRes', (upstream, request) => inContext(onUpstreamResponse)(upstream, request))
          proxy.on('error', (error, request) => inContext(onError)(error, request))
        },
      ],
    })

  const forwardRead = createForwarder(new Agent({ keepAlive: true, timeout: READ_KEEP_ALIVE_MS }))
  const forwardWrite = createForwarder(new Agent({ keepAlive: true, timeout: WRITE_KEEP_ALIVE_MS }))
  // On a new connection.
  const retryRead = createForwarder(new Agent())

  /** Forwards a request whose route has been checked; it responds in every case. */
  return (
    request: Request,
    response: Response,
    { targetUrl, route }: { targetUrl: string; route: PublicRoute },
  ): void => {
    const attributes = httpClientAttributes(
      route.method,
      new URL(loggablePath(request.path), targetUrl),
      route.path,
    )
    const span = startSpan(route.name, { kind: 'client', attributes })
    Object.assign(request.headers, withActiveSpan(span, injectTraceContext))
    const proxied: ProxiedRequest = {
      targetUrl,
      request,
      response,
      span,
      runInContext: AsyncLocalStorage.snapshot(),
      isConnected: false,
      isRetried: false,
      isClosed: false,
    }
    proxiedRequests.set(request, proxied)
    const removeEndless = route.isEndless ? endlessResponses.add(() => endResponse(proxied)) : undefined
    response.once('close', () => {
      proxied.isClosed = true
      removeEndless?.()
      // The library aborts only the request of a client that has disconnected.
      if (!request.complete) proxied.upstreamRequest?.destroy()
      span.end()
    })
    response.on('timeout', () => proxied.runInContext(onIdle, proxied))
    void (isRead(request) ? forwardRead : forwardWrite)(request, response)
  }
}
