import { pino, type Logger } from 'pino'
import { currentRequestId } from './request-context.ts'

export type { Logger }

const secrets = ['password', 'accessToken', 'refreshToken', 'authorization', 'cookie', 'url']

/** JSON lines on standard output; each carries the service and the request id, none a secret. */
export const createLogger = (service: string, level: string): Logger =>
  pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const requestId = currentRequestId()
      return requestId ? { requestId } : {}
    },
    redact: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  })
