import type { Lifecycle, Logger, Metrics } from '@confetti/service-kit'
import type { Model } from 'mongoose'
import type { z } from 'zod'
import { connectBroker } from './broker.ts'
import type { messagingConfig } from './config.ts'
import type { Consumer } from './consumer.ts'
import { createMessagingMetrics } from './metrics.ts'
import { startOutboxRelay, type OutboxRelay } from './outbox-relay.ts'
import type { OutboxFields } from './outbox.ts'
import { monitorOutbox } from './monitor-outbox.ts'

/**
 * Starts the messaging of a service: its consumers, and a relay for the outboxes of `model`. It does not wait for the
 * broker, and it stops with the service.
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
  lifecycle.onClose('outbox monitor', monitorOutbox(model, metrics, logger))
  // Closes before the broker, and after the work in progress, which may write messages.
  lifecycle.onClose('outbox', relay.stop)
  return relay
}
