import { jsonLimitsConfig, textLimitsConfig } from '@confetti/contracts'
import { messagingConfig } from '@confetti/messaging'
import { mongoUrl, serviceConfig, tokenVerifierConfig } from '@confetti/service-kit'
import { z } from 'zod'

export const configSchema = z.object({
  ...serviceConfig.shape,
  ...messagingConfig.shape,
  ...tokenVerifierConfig.shape,
  ...textLimitsConfig.pick({ MAX_SUBJECT_CHARACTERS: true, MAX_MESSAGE_CHARACTERS: true }).shape,
  ...jsonLimitsConfig.shape,
  MONGO_URL: mongoUrl,
  CONTACT_RETENTION_DAYS: z.coerce.number().int().positive().default(365),
  USER_MESSAGES_PER_HOUR: z.coerce.number().int().positive().default(20),
})
export type Config = z.infer<typeof configSchema>
