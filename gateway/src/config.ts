import { jsonLimitsConfig, uploadLimitsConfig } from '@confetti/contracts'
import { milliseconds, millisecondsOrNone, origins, serviceConfig } from '@confetti/service-kit'
import { z } from 'zod'

const perMinute = (standard: number) => z.coerce.number().int().positive().default(standard)

export const config = z.object({
  ...serviceConfig.shape,
  /** The largest file, 500 MB, on a line of 1.2 Mbit/s. */
  SHUTDOWN_GRACE_MS: millisecondsOrNone.default(3_600_000),
  ...jsonLimitsConfig.shape,
  ...uploadLimitsConfig.shape,
  AUTH_URL: z.url(),
  EVENTS_URL: z.url(),
  UPLOADS_URL: z.url(),
  CONTACT_URL: z.url(),
  REDIS_URL: z.url(),
  /** The pages that may call from a browser. */
  SHELL_ORIGINS: origins,
  GUEST_TOKEN_SECRET: z.string().min(32),
  /** How many proxies of our own stand in front and write X-Forwarded-For. */
  TRUSTED_PROXY_HOPS: z.coerce.number().int().nonnegative().default(0),
  CONNECT_TIMEOUT_MS: milliseconds.default(3_000),
  /** How long the rest of a refused body is still read, so that its sender comes to read the answer. */
  LINGER_MS: milliseconds.default(30_000),
  GUEST_REQUESTS_PER_MINUTE: perMinute(600),
  MEMBER_REQUESTS_PER_MINUTE: perMinute(1_200),
  ADDRESS_REQUESTS_PER_MINUTE: perMinute(6_000),
  ADDRESS_CEILING_PER_MINUTE: perMinute(30_000),
  GUEST_TOKENS_PER_MINUTE: perMinute(1_000),
})
export type Config = z.infer<typeof config>
