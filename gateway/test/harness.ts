import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
} from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { redisUrl, startInProcess, startService, type ServiceProcess } from '@confetti/launcher'
import { eventually, inProcess, patientRedis, readGauge, testBackends } from '@confetti/test-kit'

/** A stub server that replaces a service. */
export interface Upstream {
  url: string
  /** Handles each request; a test may replace it. */
  handler: RequestListener
  /** 'METHOD target' of each request received. */
  requests: string[]
  sockets: Set<Socket>
  close: () => Promise<void>
}

const echo: RequestListener = (request, response) => {
  let bytes = 0
  request.on('data', (chunk: Buffer) => (bytes += chunk.length))
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/json')
    response.end(
      JSON.stringify({ method: request.method, url: request.url, headers: request.headers, bytes }),
    )
  })
}

/** Starts an HTTP server that responds with what it received, unless a test replaces `handler`. */
export const startUpstream = async (handler: RequestListener = echo): Promise<Upstream> => {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    upstream.requests.push(`${request.method} ${request.url}`)
    upstream.handler(request, response)
  })
  // The gateway ends the connections that it keeps open.
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstream: Upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handler,
    requests: [],
    sockets,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return upstream
}

export const SHELL = 'http://shell.confetti.test'

/** The metric `redis_connected` of a gateway. */
export const redisConnected = (gateway: ServiceProcess): Promise<number> =>
  readGauge({ replicas: () => [gateway] }, 'gateway', 'redis_connected')

/**
 * Starts the gateway, in this process or as one, with all services at `upstreamUrl` and rate limit counters of its own. These
 * are in Redis: what comes before the gateway is connected to it would be counted in memory, apart.
 */
export const startGateway = async (
  upstreamUrl: string,
  environment: Readonly<Record<string, string>> = {},
  {
    onLine = () => undefined,
    isProcess = false,
  }: { onLine?: (line: string) => void; isProcess?: boolean } = {},
): Promise<ServiceProcess> => {
  const variables = {
    HOST: '127.0.0.1',
    SHUTDOWN_DELAY_MS: '0',
    REDIS_URL: newRedisUrl(patientRedis()),
    SHELL_ORIGINS: `${SHELL}, http://localhost:3000/`,
    GUEST_TOKEN_SECRET: 'a secret that only this test knows',
    AUTH_URL: upstreamUrl,
    EVENTS_URL: upstreamUrl,
    UPLOADS_URL: upstreamUrl,
    CONTACT_URL: upstreamUrl,
    NOTIFICATIONS_URL: upstreamUrl,
    LIVE_URL: upstreamUrl,
    ...environment,
  }
  const recordLine = (line: string): void => {
    onLine(line)
    if (process.env.CONFETTI_TEST_LOG) console.error(line)
  }
  const gateway = await (isProcess
    ? startService('gateway', variables, { onLine: recordLine })
    : startInProcess('gateway', inProcess('gateway'), variables, recordLine))
  if (!environment.REDIS_URL) await eventually(async () => (await redisConnected(gateway)) === 1, 'Redis')
  return gateway
}

/** The tests' Redis, with a random key prefix. */
export const newRedisUrl = (base: string = testBackends().redis): string =>
  redisUrl(base, `t${randomBytes(6).toString('hex')}`)

export interface TestResponse {
  status: number
  headers: IncomingMessage['headers']
  rawHeaders: string[]
  text: string
  // Each test states what it expects in the body.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a response to its end. Rejects if it is cut off. */
export const readResponse = async (response: IncomingMessage): Promise<TestResponse> => {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    text,
    json: parse(text),
  }
}

/** Sends a request with the path exactly as given, which fetch would normalize. */
export const send = async (
  baseUrl: string,
  requestLine: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer } = {},
): Promise<TestResponse> => {
  const [method, path] = requestLine.split(' ')
  const { hostname, port } = new URL(baseUrl)
  const outgoing = request({ hostname, port, method, path, agent: false, ...options })
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return readResponse(response)
}

/** Sends bytes as they are. Returns everything that is received until the connection closes. */
export const sendRaw = async (baseUrl: string, text: string): Promise<string> => {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return received
}
