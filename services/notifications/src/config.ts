import { jsonLimitsConfig } from '@confetti/contracts'
import { messagingConfig } from '@confetti/messaging'
import {
  mongoUrl,
  nonNegativeMilliseconds,
  positiveMilliseconds,
  serviceConfig,
  signingSecrets,
} from '@confetti/service-kit'
import { z } from 'zod'

const DAY_MS = 24 * 3_600_000

const variables = z.object({
  ...serviceConfig.shape,
  ...messagingConfig.shape,
  ...jsonLimitsConfig.shape,
  /** Longer than an attempt to send a mail takes: what becomes of one that is interrupted may remain unknown. */
  SHUTDOWN_GRACE_MS: nonNegativeMilliseconds.default(125_000),
  MONGO_URL: mongoUrl,
  /** Asked for accounts and events that the copies lack. */
  AUTH_URL: z.url(),
  EVENTS_URL: z.url(),
  /** The same as of auth, which tells people to expect mails. Default: on if there is a mail server. */
  MAIL: z.enum(['on', 'off']).optional(),
  /** The mail server, as `smtp://user:password@host:587` or `smtps://`. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** The sender, as `Confetti <no-reply@example.org>`. */
  MAIL_FROM: z
    .string()
    .regex(/^[^<>\p{Cc}]*<[^\s<>@,]+@[^\s<>@,]+>$/u, 'is not like "Confetti <no-reply@example.org>"')
    .default('Confetti <confetti@localhost>'),
  /** The name of the site in mails. */
  BRAND: z.string().min(1).default('Confetti'),
  /** The pages that mails link to. */
  SHELL_URL: z.url({ protocol: /^https?$/ }),
  /** The public address of the API, for links that end a subscription. */
  API_URL: z.url({ protocol: /^https?$/ }),
  /** Signs the links that end a subscription. */
  UNSUBSCRIBE_SECRET: signingSecrets,
  /** How many mails a replica sends at once. */
  MAIL_CONCURRENCY: z.coerce.number().int().positive().default(4),
  /** A mail server that is silent for this long is given up. */
  SMTP_TIMEOUT_MS: positiveMilliseconds.max(60_000).default(20_000),
  /** The delay before the second attempt. It doubles with each further one, up to an hour. */
  MAIL_RETRY_DELAY_MS: positiveMilliseconds.default(30_000),
  /** 140 attempts take five days, the least that RFC 5321 (4.5.4.1) recommends: longer than a weekend. */
  MAIL_MAX_ATTEMPTS: z.coerce.number().int().positive().default(140),
  /** How long the record of a mail is kept. */
  MAIL_RETENTION_MS: positiveMilliseconds.min(DAY_MS).default(14 * DAY_MS),
  /** From the first new upload of an event to the mail that reports it and those that followed. */
  DIGEST_INTERVAL_MS: positiveMilliseconds.default(3_600_000),
  /** How often due digests and notices of deletion are looked for. */
  CHECK_INTERVAL_MS: positiveMilliseconds.default(30_000),
  SWEEP_INTERVAL_MS: positiveMilliseconds.default(3_600_000),
})

export const configSchema = variables.refine(
  ({ MAIL, SMTP_URL }) => MAIL !== 'on' || SMTP_URL !== undefined,
  {
    path: ['SMTP_URL'],
    error: 'is required while MAIL is on. Without a mail server set MAIL=off of auth and notifications',
  },
)
export type Config = z.infer<typeof configSchema>
