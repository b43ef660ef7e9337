import type { Lifecycle, Logger, Metrics } from '@confetti/service-kit'
import type { Model } from 'mongoose'
import type { z } from 'zod'
import { connectBroker } from './broker.ts'
import type { messagingConfig } from './config.ts'
import type { Consumer } from './consumer.ts'
import { createMessagingMetrics } from './metrics.ts'
import { startOutboxRelay, type OutboxRelay } from './outbox-relay.ts'
import type { OutboxFields } from './outbox.ts'
import { watchOutbox } from './watch-outbox.ts'

/**
 * A service's part in the conversation for as long as it runs: consumers for what it hears, and a relay for what
 * the documents of `model` have to tell. Does not wait for the broker.
 */
export const startMessaging = <T extends OutboxFields>({
  config,
  service,
  consumers = [],
  model,
  metrics,
  logger,
  lifecycle,
}: {
  config: z.infer<typeof messagingConfig>
  service: string
  consumers?: readonly Consumer[]
  model: Model<T>
  metrics: Metrics
  logger: Logger
  lifecycle: Lifecycle
}): OutboxRelay => {
  const broker = connectBroker({
    url: config.RABBITMQ_URL,
    namespace: config.RABBITMQ_NAMESPACE,
    source: `/services/${service}`,
    consumers,
    metrics: createMessagingMetrics(
      metrics,
      consumers.map(({ queue }) => queue),
    ),
    logger,
  })
  const relay = startOutboxRelay({ model, broker, logger })
  lifecycle.onStop('consumers', broker.stopConsuming)
  lifecycle.onClose('broker', broker.close)
  lifecycle.onClose('outbox watch', watchOutbox(model, metrics, logger))
  // Closed before the broker, and after all work is done: that may have had facts to tell.
  lifecycle.onClose('outbox', relay.stop)
  return relay
}
