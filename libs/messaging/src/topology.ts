import type { MessageType } from '@confetti/contracts'
import type { Channel } from 'amqplib'

/**
 * Every queue and the fact it waits for. A queue is named `consumer.fact`; all replicas of a consumer share it.
 * Whoever connects first declares all of it, so nothing published before a consumer's first start is lost.
 */
export const queues = {
  'events.user-registered': 'user.registered.v1',
  'uploads.event-created': 'event.created.v1',
  'uploads.media-processed': 'media.processed.v1',
  'uploads.media-failed': 'media.failed.v1',
  'media.upload-completed': 'upload.completed.v1',
  'media.upload-deleted': 'upload.deleted.v1',
} as const satisfies Record<string, MessageType>

export type QueueName = keyof typeof queues
export const queueNames = Object.keys(queues) as QueueName[]

/** How long a message waits before each further attempt; after the last one it is a dead letter. */
export const retryDelaysMs = [5_000, 30_000, 300_000] as const

// A message that took its consumer down with it so often is a dead letter too.
const DELIVERY_LIMIT = 5

const heard = new Set<MessageType>(Object.values(queues))
/** Whether a queue waits for this type; if so, a message that reaches none is an error. */
export const hasSubscriber = (type: MessageType): boolean => heard.has(type)

/** The names on the broker; `namespace` lets several Confettis share one. */
export const namesIn = (namespace: string) => ({
  exchange: namespace,
  queue: (queue: QueueName) => `${namespace}.${queue}`,
  deadQueue: (queue: QueueName) => `${namespace}.${queue}.dead`,
  deadExchange: `${namespace}.dead`,
  retry: (delayMs: number) => `${namespace}.retry.${delayMs}`,
})

const quorum = { 'x-queue-type': 'quorum' }

/** Declares exchanges, queues, retry and dead-letter queues. Harmless when they exist. */
export const assertTopology = async (channel: Channel, namespace: string): Promise<void> => {
  const names = namesIn(namespace)
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
        // Through the default exchange, by the routing key it came with: the queue whose consumer failed.
        'x-dead-letter-exchange': '',
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      },
    })
    await channel.bindQueue(name, name, '')
  }

  for (const queue of queueNames) {
    const name = names.queue(queue)
    await channel.assertQueue(names.deadQueue(queue), {
      durable: true,
      // Looking at a dead letter returns it to its queue, which must not count as failing.
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
