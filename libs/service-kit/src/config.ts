import { z } from 'zod'

// The longest delay of a Node timer, less the quarter that `runPeriodically` may add. A timer with a longer delay fires
// at once.
const MAX_DELAY_MS = Math.floor((2 ** 31 - 1) / 1.25)

/** A duration in milliseconds, zero allowed, at most 19 days. */
export const nonNegativeMilliseconds = z.coerce.number().int().nonnegative().max(MAX_DELAY_MS)
/** A duration in milliseconds, more than zero, at most 19 days. */
export const positiveMilliseconds = nonNegativeMilliseconds.positive()

/** The configuration of every service. Durations are milliseconds. */
export const serviceConfig = z.object({
  HOST: z.string().default('0.0.0.0'),
  PORT: z.coerce.number().int().min(0).max(65_535),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  /** Between becoming unready and refusing connections, so that load balancers stop sending requests first. */
  SHUTDOWN_DELAY_MS: nonNegativeMilliseconds.default(5_000),
  /** How long work in progress may take to finish before it is aborted. */
  SHUTDOWN_GRACE_MS: nonNegativeMilliseconds.default(30_000),
  /** A connection without traffic for this time is closed. */
  IDLE_TIMEOUT_MS: positiveMilliseconds.default(60_000),
  /** A request that carries no media must have arrived whole after this time. */
  REQUEST_TIMEOUT_MS: positiveMilliseconds.default(10_000),
  /** The most connections of clients. Two fifths of the file descriptors that the process may open, if that is less. */
  MAX_CONNECTIONS: z.coerce.number().int().positive().default(20_000),
  /** Base URL of an OTLP receiver over HTTP. Tracing is off without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** The ratio of traces that are sampled. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
})
export type ServiceConfig = z.infer<typeof serviceConfig>

/** The connection string of a service's own database, with one or several hosts. */
export const mongoUrl = z.string().regex(/^mongodb(\+srv)?:\/\//, 'is not a MongoDB address')

/** The configuration of services that verify access tokens with the keys that the auth service publishes. */
export const tokenVerifierConfig = z.object({
  AUTH_JWKS_URL: z.url(),
  TOKEN_ISSUER: z.string().min(1).default('confetti'),
  TOKEN_AUDIENCE: z.string().min(1).default('confetti-api'),
})

/** Origins of pages: URLs in one variable, separated by commas. */
export const origins = z
  .string()
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.url().transform((url) => new URL(url).origin)))

export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Parses the environment with `schema`; an empty variable counts as missing.
 * Throws ConfigError, whose message names every variable that is missing or invalid, but no value.
 */
export const readConfig = <S extends z.ZodObject>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
): z.infer<S> => {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = schema.safeParse(present)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => {
    const name = issue.path.join('.')
    const isSet = name in present || issue.code === 'custom'
    return isSet ? `${name}: ${issue.message}` : `${name} is not set`
  })
  throw new ConfigError(`The configuration is invalid.\n  ${problems.join('\n  ')}`)
}
