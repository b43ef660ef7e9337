import { jsonLimitsConfig, uploadLimitsConfig } from '@confetti/contracts'
import {
  nonNegativeMilliseconds,
  origins,
  positiveMilliseconds,
  serviceConfig,
  signingSecrets,
  tokenVerifierConfig,
} from '@confetti/service-kit'
import { z } from 'zod'

const limit = (defaultLimit: number) => z.coerce.number().int().positive().default(defaultLimit)

export const configSchema = z.object({
  ...serviceConfig.shape,
  /** Long enough to send the largest file, 500 MB, at 1.2 Mbit/s. */
  SHUTDOWN_GRACE_MS: nonNegativeMilliseconds.default(3_600_000),
  ...jsonLimitsConfig.shape,
  ...tokenVerifierConfig.pick({ TOKEN_ISSUER: true, TOKEN_AUDIENCE: true }).shape,
  ...uploadLimitsConfig.shape,
  AUTH_URL: z.url(),
  EVENTS_URL: z.url(),
  UPLOADS_URL: z.url(),
  CONTACT_URL: z.url(),
  NOTIFICATIONS_URL: z.url(),
  LIVE_URL: z.url(),
  REDIS_URL: z.url(),
  /** The pages that may call the API from a browser. */
  SHELL_ORIGINS: origins,
  GUEST_TOKEN_SECRET: signingSecrets,
  /** The number of proxies in front of the gateway that append to X-Forwarded-For. */
  TRUSTED_PROXY_HOPS: z.coerce.number().int().nonnegative().default(0),
  CONNECT_TIMEOUT_MS: positiveMilliseconds.default(3_000),
  /** How long the rest of a rejected body is read, so that its sender reads the response. */
  DRAIN_TIMEOUT_MS: positiveMilliseconds.default(30_000),
  /** The time over which a shutdown spreads the ends of streams of live updates. */
  STREAM_DRAIN_MS: nonNegativeMilliseconds.default(10_000),
  GUEST_REQUESTS_PER_MINUTE: limit(600),
  MEMBER_REQUESTS_PER_MINUTE: limit(1_200),
  /** Guests who open the page of an event have no token yet: a hall of 5,000 within a minute. */
  ADDRESS_REQUESTS_PER_MINUTE: limit(12_000),
  ADDRESS_TOTAL_REQUESTS_PER_MINUTE: limit(30_000),
  /** Far above a full hall: 5,000 open galleries make 120,000. */
  ADDRESS_GENUINE_REQUESTS_PER_MINUTE: limit(600_000),
  GUEST_TOKENS_PER_MINUTE: limit(5_000),
  CLIENT_ERRORS_PER_MINUTE: limit(100),
  /** Short codes that no event has; those of events are never limited with them. */
  UNKNOWN_CODES_PER_MINUTE: limit(60),
  /** Wrong PINs in ten minutes. */
  WRONG_PINS_PER_GUEST: limit(10),
  WRONG_PINS_PER_ADDRESS: limit(60),
  WRONG_PINS_PER_EVENT: limit(1_000),
})
export type Config = z.infer<typeof configSchema>
