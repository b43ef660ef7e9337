import { z } from 'zod'

/** The configuration of every service that publishes or consumes messages. */
export const messagingConfig = z.object({
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }),
  /** Prefix of all exchanges and queues. */
  RABBITMQ_NAMESPACE: z.string().min(1).default('confetti'),
})
