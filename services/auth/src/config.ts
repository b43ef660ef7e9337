import { jsonLimitsConfig } from '@confetti/contracts'
import { messagingConfig } from '@confetti/messaging'
import { mongoUrl, serviceConfig, tokenCheckConfig } from '@confetti/service-kit'
import { z } from 'zod'

const count = (standard: number) => z.coerce.number().int().positive().default(standard)

/** What the auth service reads. */
export const authConfig = z.object({
  ...serviceConfig.shape,
  ...messagingConfig.shape,
  ...jsonLimitsConfig.shape,
  ...tokenCheckConfig.pick({ TOKEN_ISSUER: true, TOKEN_AUDIENCE: true }).shape,
  MONGO_URL: mongoUrl,
  REDIS_URL: z.url({ protocol: /^rediss?$/ }),

  /** JSON: `{"keys": [...]}`, private ES256 JWKs, each with a `kid`. */
  SIGNING_KEYS_FILE: z.string().min(1),
  /** The key that signs; the file's first unless named. */
  SIGNING_KID: z.string().min(1).optional(),
  ACCESS_TOKEN_SECONDS: count(15 * 60),
  /** How long a session lives after its last refresh. */
  REFRESH_TOKEN_SECONDS: count(30 * 24 * 3_600),
  /** How long a used refresh token still gives the answer that may have been lost. */
  REFRESH_GRACE_SECONDS: z.coerce.number().int().nonnegative().default(10),
  SESSION_SWEEP_SECONDS: count(3_600).pipe(z.number().max(86_400)),

  SIGN_IN_FAILURES_PER_ACCOUNT: count(10),
  SIGN_IN_FAILURES_PER_ADDRESS: count(100),
  SIGN_IN_WINDOW_SECONDS: count(900).pipe(z.number().max(900)),
  REGISTRATIONS_PER_ADDRESS: count(100),
  REGISTRATION_WINDOW_SECONDS: count(3_600),

  /** One hash costs about 16 ms of a core and 19 MiB. */
  PASSWORD_HASHES_AT_ONCE: count(4),
  PASSWORD_HASHES_WAITING: count(200),
})

/** What the command reads that makes admins. */
export const createAdminConfig = z.object({
  MONGO_URL: mongoUrl,
  /** Asked for, or read from standard input, where it is not set. */
  ADMIN_PASSWORD: z.string().optional(),
})
