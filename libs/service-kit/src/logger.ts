import { pino, type Logger } from 'pino'
import { currentContext } from './request-context.ts'
import { currentTraceId } from './tracing/trace-context.ts'

export type { Logger }

const secrets = ['password', 'accessToken', 'refreshToken', 'authorization', 'cookie', 'url']

/** JSON lines on standard output; each carries the service and the ids of what is worked on, none a secret. */
export const createLogger = (service: string, level: string): Logger =>
  pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const traceId = currentTraceId()
      return { ...currentContext(), ...(traceId && { traceId }) }
    },
    redact: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  })
