import { jsonLimitsConfig, textLimitsConfig, uploadLimitsConfig } from '@confetti/contracts'
import { messagingConfig } from '@confetti/messaging'
import { mongoUrl, serviceConfig, tokenVerifierConfig } from '@confetti/service-kit'
import { IANAZone } from 'luxon'
import { z } from 'zod'

/** The configuration of the events service. */
export const configSchema = serviceConfig.extend({
  ...tokenVerifierConfig.shape,
  ...messagingConfig.shape,
  ...jsonLimitsConfig.shape,
  ...textLimitsConfig.pick({ MAX_EVENT_NAME_CHARACTERS: true, MAX_EVENT_DESCRIPTION_CHARACTERS: true }).shape,
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
})
