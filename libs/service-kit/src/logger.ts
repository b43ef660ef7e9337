import { pino, type Logger } from 'pino'
import { currentContext } from './request-context.ts'
import { currentTraceId } from './tracing/trace-context.ts'

export type { Logger }

const secrets = ['password', 'accessToken', 'refreshToken', 'authorization', 'cookie', 'url']

/** Logs JSON lines to standard output, each with the service and the ids of its context, and without secrets. */
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
