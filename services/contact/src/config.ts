import { jsonLimitsConfig, textLimitsConfig } from '@confetti/contracts'
import { messagingConfig } from '@confetti/messaging'
import { mongoUrl, serviceConfig, tokenCheckConfig } from '@confetti/service-kit'
import { z } from 'zod'

/** What the contact service reads. */
export const contactConfig = z.object({
  ...serviceConfig.shape,
  ...messagingConfig.shape,
  ...tokenCheckConfig.shape,
  ...textLimitsConfig.pick({ MAX_SUBJECT_CHARACTERS: true, MAX_MESSAGE_CHARACTERS: true }).shape,
  ...jsonLimitsConfig.shape,
  MONGO_URL: mongoUrl,
})
