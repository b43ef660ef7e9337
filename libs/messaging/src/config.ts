import { z } from 'zod'

/** What every service reads that publishes or consumes. */
export const messagingConfig = z.object({
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }),
  /** Prefix of all exchanges and queues. */
  RABBITMQ_NAMESPACE: z.string().min(1).default('confetti'),
})
