import { pino, type Logger, type LoggerOptions } from 'pino'
import { currentContext } from './request-context.ts'
import { currentTraceId } from './tracing/spans.ts'

export type { Logger }

const secrets = ['password', 'accessToken', 'refreshToken', 'authorization', 'cookie', 'url']

/** Logs JSON lines to `destination`, or standard output, each with the service and the ids of its context, and without secrets. */
export const createLogger = (
  service: string,
  level: string,
  destination?: { write: (line: string) => void },
): Logger => {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const traceId = currentTraceId()
      return { ...currentContext(), ...(traceId && { traceId }) }
    },
    redact: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  }
  return destination ? pino(options, destination) : pino(options)
}
