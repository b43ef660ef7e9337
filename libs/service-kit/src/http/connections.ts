import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorBody, ErrorCode } from '@confetti/contracts'
import { Counter, Gauge } from 'prom-client'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'

const POLL_MS = 100
const LISTENING = '0A'
// One table for each version of IP. Other systems than Linux have neither.
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']

/** The bytes that wait in one line of a table of the kernel's TCP connections, if it is one of a server's port. */
const readUntakenBytes = (line: string, port: number): number => {
  const [, local = '', , state, queues = ''] = line.trim().split(/\s+/)
  const isOfServer = Number.parseInt(local.split(':')[1] ?? '', 16) === port && state !== LISTENING
  return isOfServer ? Number.parseInt(queues.split(':')[0] ?? '', 16) : 0
}

/** The bytes that clients of a local port have not acknowledged, also on connections that have been closed here. */
const countUntakenBytes = async (port: number): Promise<number> => {
  const tables = await Promise.all(TABLES.map((file) => readFile(file, 'utf8').catch(() => '')))
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .reduce((sum, line) => sum + readUntakenBytes(line, port), 0)
}

/**
 * Waits until the clients of a local port have taken what was sent to them, or have taken nothing for `idleTimeoutMs`. A
 * response counts as sent when the kernel has it: megabytes of a slow download may still wait there, and the network of
 * a container ends with its process, without telling the client.
 */
export const waitUntilTaken = async (port: number, idleTimeoutMs: number): Promise<void> => {
  let previous = Number.POSITIVE_INFINITY
  let idleMs = 0
  for (;;) {
    const bytes = await countUntakenBytes(port)
    if (bytes === 0) return
    idleMs = bytes < previous ? 0 : idleMs + POLL_MS
    if (idleMs >= idleTimeoutMs) return
    previous = bytes
    await sleep(POLL_MS)
  }
}

// A connection of a client may need another one to a service; the others are for backends and files.
const SHARE_OF_OPEN_FILES = 0.4

/** How many files and connections this process may have open; undefined if there is no limit. */
const getOpenFilesLimit = (): number | undefined => {
  Object.assign(process.report, { excludeNetwork: true })
  // There are no user limits on Windows.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { soft: unknown } } }
  const soft = userLimits?.open_files.soft
  return typeof soft === 'number' ? soft : undefined
}

/**
 * Limits the connections of servers together to `maxConnections`, and below what the process may have open: without
 * descriptors it could reach no backend. A connection beyond the limit is closed at once.
 */
export const limitConnections = (
  servers: readonly Server[],
  maxConnections: number,
  registry: Metrics,
): void => {
  const limit = Math.min(maxConnections, Math.floor((getOpenFilesLimit() ?? Infinity) * SHARE_OF_OPEN_FILES))
  const dropped = new Counter({
    name: 'http_connections_dropped_total',
    help: 'Connections that were closed at once, because there were too many',
    registers: [registry],
  })
  let connections = 0
  const onConnection = (socket: Socket): void => {
    if (connections >= limit) {
      dropped.inc()
      socket.destroy()
      return
    }
    connections += 1
    socket.once('close', () => {
      connections -= 1
    })
  }
  for (const server of servers) server.on('connection', onConnection)
  new Gauge({
    name: 'http_connections',
    help: 'Open connections of clients',
    registers: [registry],
    collect() {
      this.set(connections)
    },
  })
  new Gauge({
    name: 'http_connections_limit',
    help: 'The most open connections of clients',
    registers: [registry],
  }).set(limit)
}

interface ProtocolError {
  status: number
  code: ErrorCode
  message: string
}

const protocolErrorOf = (code: string | undefined): ProtocolError => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, code: 'headers_too_large', message: 'The headers of the request are too large.' }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, code: 'too_large', message: 'The request is too large.' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'timeout', message: 'The request took too long to arrive.' }
    case undefined:
    default:
      return { status: 400, code: 'invalid', message: 'The request could not be read.' }
  }
}

const format = ({ status, ...error }: ProtocolError, requestId: string): string => {
  const body = JSON.stringify({ ...error, requestId } satisfies ErrorBody)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n')
}

/** Whether an answer on this connection would be taken for that of the invalid input. */
const mayAnswer = (latest: ServerResponse | undefined): boolean => {
  if (!latest) return true
  // The error is in the body of a request without a response, or follows a request that is over.
  return latest.headersSent ? latest.writableFinished && latest.req.complete : !latest.req.complete
}

/**
 * Answers input that is not valid HTTP with the JSON error body, unless a response has begun on its connection, and closes
 * the connection.
 */
export const answerProtocolErrors = (server: Server, logger: Logger): void => {
  const responses = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => responses.set(socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== 'ECONNRESET' && socket.writable && mayAnswer(responses.get(socket))) {
      const requestId = randomUUID()
      const answer = protocolErrorOf(error.code)
      logger.info({ requestId, status: answer.status, reason: error.code }, 'invalid HTTP received')
      socket.write(format(answer, requestId))
    }
    socket.destroy(error)
  })
}
