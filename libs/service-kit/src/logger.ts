import { pino, type Logger, type LoggerOptions } from 'pino'
import { currentContext } from './request-context.ts'
import { currentTraceId } from './tracing/spans.ts'

export type { Logger }

const secrets = ['password', 'accessToken', 'refreshToken', 'authorization', 'cookie', 'url']

/**
 * What the log has of an error: messages and stacks, also those of its causes, and codes. Other fields of libraries' errors
 * are left out, as they hold whole documents, requests and responses: a refused bulk write has all names that guests sent.
 */
const serializeError = (error: unknown): unknown => {
  const serialized = pino.stdSerializers.err(error as Error)
  // No error.
  if (serialized === error) return error
  const { type, message, stack, code, statusCode } = serialized as Record<string, unknown>
  const { errors } = error as AggregateError
  return {
    ...{ type, message, stack, code, statusCode },
    ...(Array.isArray(errors) && { aggregateErrors: errors.map(serializeError) }),
  }
}

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
    serializers: { err: serializeError },
    redact: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  }
  return destination ? pino(options, destination) : pino(options)
}
