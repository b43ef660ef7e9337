import {
  jsonLimitsConfig,
  textLimitsConfig,
  uploadLimitsConfig,
  type EventSettings,
} from '@confetti/contracts'
import { messagingConfig } from '@confetti/messaging'
import { mongoUrl, positiveMilliseconds, serviceConfig, tokenVerifierConfig } from '@confetti/service-kit'
import { IANAZone } from 'luxon'
import { z } from 'zod'

const variables = serviceConfig.extend({
  ...tokenVerifierConfig.shape,
  ...messagingConfig.shape,
  ...jsonLimitsConfig.shape,
  ...textLimitsConfig.pick({
    MAX_EVENT_NAME_CHARACTERS: true,
    MAX_EVENT_DESCRIPTION_CHARACTERS: true,
    MAX_WELCOME_CHARACTERS: true,
  }).shape,
  MAX_FILE_BYTES: uploadLimitsConfig.shape.MAX_FILE_BYTES,
  MONGO_URL: mongoUrl,
  AUTH_URL: z.url(),
  /** The address of the shell, where guests open the upload page. */
  SHELL_URL: z.url(),
  EVENT_TIME_ZONE: z
    .string()
    .refine((zone) => IANAZone.isValidZone(zone), 'is not an IANA time zone')
    .default('UTC'),
  /** Days after `endDate` on which guests can still upload. */
  UPLOAD_GRACE_DAYS: z.coerce.number().int().nonnegative().default(30),
  /** The limits of new events; unlimited unless set. */
  NEW_EVENT_MAX_FILES: z.coerce.number().int().positive().optional(),
  NEW_EVENT_MAX_BYTES: z.coerce.number().int().positive().optional(),
  /** Days after `endDate` after which new events are deleted; never unless set. */
  NEW_EVENT_KEEP_DAYS: z.coerce.number().int().positive().optional(),
  /** The least and the most days for which organisers may keep an event; any unless set. */
  MIN_KEEP_DAYS: z.coerce.number().int().positive().optional(),
  MAX_KEEP_DAYS: z.coerce.number().int().positive().optional(),
  /** Whether the notifications service sends mail. If not, organisers pass invitations on themselves. */
  MAIL: z.enum(['on', 'off']).default('off'),
  /** How long the link of an invitation to organise an event works. */
  ORGANISER_INVITATION_SECONDS: z.coerce
    .number()
    .int()
    .positive()
    .default(7 * 24 * 3_600),
  SWEEP_INTERVAL_MS: positiveMilliseconds.default(60_000),
  /** How long after its deletion an event should be erased everywhere; then the services that have not are asked again. */
  ERASURE_TIMEOUT_MS: positiveMilliseconds.default(4 * 60_000),
})

/** The configuration of the events service. */
export const configSchema = variables.refine(
  ({ MIN_KEEP_DAYS = 0, MAX_KEEP_DAYS = Infinity }) => MIN_KEEP_DAYS <= MAX_KEEP_DAYS,
  { path: ['MAX_KEEP_DAYS'], error: 'is less than MIN_KEEP_DAYS' },
)
export type Config = z.infer<typeof configSchema>

/** The limits of new events. */
export const newEventSettings = (config: Config): EventSettings => {
  const keepDays = config.NEW_EVENT_KEEP_DAYS ?? config.MAX_KEEP_DAYS
  return {
    ...(config.NEW_EVENT_MAX_FILES !== undefined && { maxFiles: config.NEW_EVENT_MAX_FILES }),
    ...(config.NEW_EVENT_MAX_BYTES !== undefined && { maxBytes: config.NEW_EVENT_MAX_BYTES }),
    ...(keepDays !== undefined && { keepDays }),
  }
}
