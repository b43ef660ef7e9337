import { z } from 'zod'

// The longest that a timer can wait, less the quarter that `repeat` may add; beyond it a timer rings at once.
const LONGEST_TIME_MS = Math.floor((2 ** 31 - 1) / 1.25)

/** A time in milliseconds that may be nothing, 19 days at most. */
export const millisecondsOrNone = z.coerce.number().int().nonnegative().max(LONGEST_TIME_MS)
/** A time in milliseconds, 19 days at most. */
export const milliseconds = millisecondsOrNone.positive()

/** What every service reads. Times are milliseconds. */
export const serviceConfig = z.object({
  HOST: z.string().default('0.0.0.0'),
  PORT: z.coerce.number().int().min(0).max(65_535),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  /** Between turning unready and refusing connections, so that load balancers look elsewhere first. */
  SHUTDOWN_DELAY_MS: millisecondsOrNone.default(5_000),
  /** How long work in flight may take to finish before it is cut off. */
  SHUTDOWN_GRACE_MS: millisecondsOrNone.default(30_000),
  /** A connection on which not one byte moves for so long is given up. */
  IDLE_TIMEOUT_MS: milliseconds.default(60_000),
  /** Base address of an OTLP receiver, over HTTP. Nothing is traced without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** The share of traces that are kept. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
})
export type ServiceConfig = z.infer<typeof serviceConfig>

/** The address of a service's own database; a seed list of several hosts is one, too. */
export const mongoUrl = z.string().regex(/^mongodb(\+srv)?:\/\//, 'is not a MongoDB address')

/** What a service reads that checks access tokens against the auth service's published keys. */
export const tokenCheckConfig = z.object({
  AUTH_JWKS_URL: z.url(),
  TOKEN_ISSUER: z.string().min(1).default('confetti'),
  TOKEN_AUDIENCE: z.string().min(1).default('confetti-api'),
})

/** The origins of pages that may call from a browser: addresses in one variable, separated by commas. */
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
 * The environment as `schema` describes it; an empty variable counts as missing.
 * Throws ConfigError, whose message names every variable that is missing or wrong, never its value.
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
    const isSaid = name in present || issue.code === 'custom'
    return isSaid ? `${name}: ${issue.message}` : `${name} is not set`
  })
  throw new ConfigError(`The configuration is not complete.\n  ${problems.join('\n  ')}`)
}
