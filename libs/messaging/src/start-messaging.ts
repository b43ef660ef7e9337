import type { MessageType } from '@confetti/contracts'
import type { Service, ServiceConfig } from '@confetti/service-kit'
import type { Connection } from 'mongoose'
import { z } from 'zod'
import { connectBroker, type Broker, type BrokerOptions } from './broker.ts'
import type { Consumer } from './consumer.ts'
import { createMessagingMetrics } from './metrics.ts'
import { startOutboxRelay, type OutboxModel, type OutboxRelay } from './outbox-relay.ts'
import type { OutboxFields } from './outbox.ts'
import { monitorOutbox } from './monitor-outbox.ts'
import type { Subscription } from './subscription.ts'

/** The configuration of every service that publishes or consumes messages. */
export const messagingConfig = z.object({
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }),
  /** Prefix of all exchanges and queues. */
  RABBITMQ_NAMESPACE: z.string().min(1).default('confetti'),
})

type MessagingService = Pick<
  Service<ServiceConfig & z.infer<typeof messagingConfig>>,
  'name' | 'config' | 'logger' | 'registry' | 'lifecycle'
>

/** What every service that keeps something is connected to. */
export interface Connections {
  database: Connection
  /** How to reach the broker, if not by amqplib. */
  broker?: BrokerOptions | undefined
}

interface ConsumerOptions extends Pick<Connections, 'broker'> {
  consumers?: readonly Consumer[]
  subscription?: Subscription
}

const startBroker = (
  { name, config, logger, registry, lifecycle }: MessagingService,
  {
    publishes,
    consumers = [],
    subscription,
    broker: options,
  }: ConsumerOptions & { publishes: readonly MessageType[] },
): Broker => {
  const broker = connectBroker({
    url: config.RABBITMQ_URL,
    namespace: config.RABBITMQ_NAMESPACE,
    service: name,
    publishes,
    consumers,
    subscription,
    ...options,
    metrics: createMessagingMetrics(
      registry,
      consumers.map(({ queue }) => queue),
    ),
    logger,
  })
  lifecycle.onStop('consumers', broker.stopConsuming)
  lifecycle.onClose('broker', broker.close)
  return broker
}

/**
 * Starts the consumers of a service without an outbox. It does not wait for the broker, and stops with the service.
 * `publish` is for what is published again if it fails.
 */
export const startConsumers = (
  service: MessagingService,
  { publishes = [], ...options }: ConsumerOptions & { publishes?: readonly MessageType[] },
): Broker => startBroker(service, { ...options, publishes })

/**
 * Starts the messaging of a service: its consumers, and a relay for the outboxes of `model`. It does not wait for the
 * broker, and it stops with the service. `publish` is for what is published again if it fails; changes belong in an outbox.
 */
export const startMessaging = <T extends OutboxFields>(
  service: MessagingService,
  {
    model,
    getLateFields,
    ...options
  }: ConsumerOptions & OutboxModel<T> & { publishes: readonly MessageType[] },
): OutboxRelay & Pick<Broker, 'publish'> => {
  const { registry, logger, lifecycle } = service
  const broker = startBroker(service, options)
  const relay = startOutboxRelay({ model, getLateFields, broker, logger })
  const { monitorIntervalMs: intervalMs } = options.broker ?? {}
  lifecycle.onClose(
    'outbox monitor',
    monitorOutbox(model, { registry, logger, ...(intervalMs && { intervalMs }) }),
  )
  // Closes before the broker, and after the work in progress, which may write messages.
  lifecycle.onClose('outbox', relay.stop)
  return { ...relay, publish: broker.publish }
}
