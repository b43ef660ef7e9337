import type { MessageType } from '@confetti/contracts'
import type { Channel } from 'amqplib'

/**
 * All queues and the message type of each. A queue is named `service.message`, and all replicas of a service share it.
 * The first service that connects declares all of them, so messages published before a consumer's first start are kept.
 */
export const queues = {
  'events.user-registered': 'user.registered.v1',
  'events.user-changed': 'user.changed.v1',
  'events.user-deleted': 'user.deleted.v1',
  'events.uploads-erased': 'uploads.erased.v1',
  'events.uploads-counted': 'uploads.counted.v1',
  'events.upload-deleted': 'upload.deleted.v1',
  'uploads.event-created': 'event.created.v1',
  'uploads.event-changed': 'event.changed.v1',
  'uploads.event-deleted': 'event.deleted.v1',
  'uploads.media-processed': 'media.processed.v1',
  'uploads.media-failed': 'media.failed.v1',
  'uploads.media-rendered': 'media.rendered.v1',
  'uploads.queue-created': 'queue.created.v1',
  'media.upload-completed': 'upload.completed.v1',
  'media.upload-deleted': 'upload.deleted.v1',
  'media.rendition-requested': 'media.rendition-requested.v1',
  'notifications.user-registered': 'user.registered.v1',
  'notifications.user-changed': 'user.changed.v1',
  'notifications.user-deleted': 'user.deleted.v1',
  'notifications.user-mail-requested': 'user.mail-requested.v1',
  'notifications.event-created': 'event.created.v1',
  'notifications.event-changed': 'event.changed.v1',
  'notifications.event-deleted': 'event.deleted.v1',
  'notifications.upload-completed': 'upload.completed.v1',
  'notifications.contact-received': 'contact.received.v1',
  'notifications.contact-replied': 'contact.replied.v1',
  'auth.audit-recorded': 'audit.recorded.v1',
  'contact.user-deleted': 'user.deleted.v1',
} as const satisfies Record<string, MessageType>

export type QueueName = keyof typeof queues
export const queueNames = Object.keys(queues) as QueueName[]

/** The delay before each retry; after the last one a message is dead-lettered. */
export const retryDelaysMs = [5_000, 30_000, 300_000] as const
/** The delay while a dependency is unavailable: first, and from then on until it is back. */
export const outageDelaysMs = [retryDelaysMs[0], retryDelaysMs[1]] as const

// A message that crashed its consumer this many times is dead-lettered, too.
const DELIVERY_LIMIT = 5

const consumedTypes = new Set<MessageType>(Object.values(queues))
/**
 * Whether a queue is bound to this type, so that a message that reaches none is an error. Types that only subscriptions
 * receive have none while no subscriber is connected.
 */
export const hasSubscriber = (type: MessageType): boolean => consumedTypes.has(type)

/** The names of exchanges and queues; `namespace` lets several installations share a broker. */
export const topologyNames = (namespace: string) => ({
  exchange: namespace,
  queue: (queue: QueueName) => `${namespace}.${queue}`,
  deadQueue: (queue: QueueName) => `${namespace}.${queue}.dead`,
  deadExchange: `${namespace}.dead`,
  retry: (delayMs: number) => `${namespace}.retry.${delayMs}`,
})

const quorum = { 'x-queue-type': 'quorum' }

/** Declares all exchanges and the queues `declared`, including those for retries and dead letters. Idempotent. */
export const assertTopology = async (
  channel: Channel,
  namespace: string,
  declared: readonly QueueName[] = queueNames,
): Promise<void> => {
  const names = topologyNames(namespace)
  await channel.assertExchange(names.exchange, 'topic', { durable: true })
  await channel.assertExchange(names.deadExchange, 'direct', { durable: true })

  for (const delayMs of retryDelaysMs) {
    const name = names.retry(delayMs)
    await channel.assertExchange(name, 'fanout', { durable: true })
    await channel.assertQueue(name, {
      durable: true,
      arguments: {
        ...quorum,
        'x-message-ttl': delayMs,
        // To the default exchange, which routes by the original routing key: the queue whose consumer failed.
        'x-dead-letter-exchange': '',
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      },
    })
    await channel.bindQueue(name, name, '')
  }

  for (const queue of declared) {
    const name = names.queue(queue)
    await channel.assertQueue(names.deadQueue(queue), {
      durable: true,
      // Listing dead letters returns them to this queue, which must not count as a failed delivery.
      arguments: { ...quorum, 'x-delivery-limit': 1_000_000 },
    })
    await channel.bindQueue(names.deadQueue(queue), names.deadExchange, name)
    await channel.assertQueue(name, {
      durable: true,
      arguments: {
        ...quorum,
        'x-delivery-limit': DELIVERY_LIMIT,
        'x-dead-letter-exchange': names.deadExchange,
        'x-dead-letter-routing-key': name,
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      },
    })
    await channel.bindQueue(name, names.exchange, queues[queue])
  }
}
