export { auditMessage, type AuditedChange } from './audit.ts'
export { connectBroker, type Broker, type BrokerOptions } from './broker.ts'
export { defineConsumer, type Consumer } from './consumer.ts'
export { openDeadLetters, redactContent } from './dead-letters.ts'
export { runUnderLease } from './lease.ts'
export { newMessage, toEnvelope, type Message } from './message.ts'
export { createMessagingMetrics } from './metrics.ts'
export { addToOutbox, leasedOutbox, outboxPlugin, newOutbox, type OutboxFields } from './outbox.ts'
export { startOutboxRelay, type OutboxRelay } from './outbox-relay.ts'
export { messagingConfig, startConsumers, startMessaging, type Connections } from './start-messaging.ts'
export type { Subscription } from './subscription.ts'
export {
  assertTopology,
  brokerQueueNames,
  defaultRetryDelaysMs,
  furtherRoutingKeys,
  topologyNames,
  queueNames,
  queues,
  queuesOf,
  type QueueName,
} from './topology.ts'
