import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody, ErrorCode } from '@confetti/contracts'
import type { Logger } from '../logger.ts'

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
