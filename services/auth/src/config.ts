import { jsonLimitsConfig } from '@confetti/contracts'
import { messagingConfig } from '@confetti/messaging'
import { mongoUrl, serviceConfig, tokenVerifierConfig } from '@confetti/service-kit'
import { z } from 'zod'

const positiveInteger = (defaultValue: number) => z.coerce.number().int().positive().default(defaultValue)

export const configSchema = z.object({
  ...serviceConfig.shape,
  ...messagingConfig.shape,
  ...jsonLimitsConfig.shape,
  ...tokenVerifierConfig.pick({ TOKEN_ISSUER: true, TOKEN_AUDIENCE: true }).shape,
  MONGO_URL: mongoUrl,
  REDIS_URL: z.url({ protocol: /^rediss?$/ }),

  /** JSON: `{"keys": [...]}`, private ES256 JWKs, each with a `kid`. */
  SIGNING_KEYS_FILE: z.string().min(1),
  /** The kid of the key that signs. Default: the first key of the file. */
  SIGNING_KID: z.string().min(1).optional(),
  ACCESS_TOKEN_SECONDS: positiveInteger(15 * 60),
  /** How long a session lives after its last refresh. */
  REFRESH_TOKEN_SECONDS: positiveInteger(30 * 24 * 3_600),
  /** How long the previous refresh token still gets the current one, for clients that lost the response. */
  REFRESH_GRACE_SECONDS: z.coerce.number().int().nonnegative().default(10),
  SESSION_SWEEP_SECONDS: positiveInteger(3_600).pipe(z.number().max(86_400)),

  SIGN_IN_FAILURES_PER_ACCOUNT: positiveInteger(10),
  SIGN_IN_FAILURES_PER_ADDRESS: positiveInteger(100),
  SIGN_IN_WINDOW_SECONDS: positiveInteger(900).pipe(z.number().max(900)),
  REGISTRATIONS_PER_ADDRESS: positiveInteger(100),
  REGISTRATION_WINDOW_SECONDS: positiveInteger(3_600),

  /** Whether everybody can create an account, or only people whom an admin has invited. */
  REGISTRATION: z.enum(['open', 'invitation']).default('open'),
  /** Whether the notifications service sends mail. If not, admins pass invitations on themselves. */
  MAIL: z.enum(['on', 'off']).default('off'),
  /** The shell's address, which links in mails lead to. */
  SHELL_URL: z.url({ protocol: /^https?$/ }),
  INVITATION_SECONDS: positiveInteger(7 * 24 * 3_600),
  PASSWORD_RESET_SECONDS: positiveInteger(3_600),
  PASSWORD_RESETS_PER_ACCOUNT: positiveInteger(3),
  PASSWORD_RESETS_PER_ADDRESS: positiveInteger(20),
  PASSWORD_RESET_WINDOW_SECONDS: positiveInteger(3_600),
  PASSWORD_CHANGES_PER_HOUR: positiveInteger(10),
  /** Accounts in the list of revoked access tokens. If there are more, older tokens of all accounts are refreshed. */
  REVOKED_ACCOUNTS_LIMIT: positiveInteger(10_000),

  /** How long entries of the audit log are kept. */
  AUDIT_KEEP_DAYS: positiveInteger(365),

  /** One hash costs about 16 ms of a core and 19 MiB. */
  PASSWORD_HASH_CONCURRENCY: positiveInteger(4),
  PASSWORD_HASH_QUEUE_LIMIT: positiveInteger(200),
})
export type Config = z.infer<typeof configSchema>

/** The configuration of the command `create-admin`. */
export const createAdminConfigSchema = z.object({
  MONGO_URL: mongoUrl,
  /** Default: read from standard input. */
  ADMIN_PASSWORD: z.string().optional(),
})
