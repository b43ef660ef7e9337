import type { Envelope, MessageType } from '@confetti/contracts'
import type { Channel, ChannelModel } from 'amqplib'

/** All queues and the message type of each. A queue is named `service.message`, and all replicas of a service share it. */
export const queues = {
  'events.user-registered': 'user.registered.v1',
  'events.user-changed': 'user.changed.v1',
  'events.user-deleted': 'user.deleted.v1',
  'events.event-erased': 'event.erased.v1',
  'events.uploads-erased': 'uploads.erased.v1',
  'events.uploads-counted': 'uploads.counted.v1',
  'events.upload-deleted': 'upload.deleted.v1',
  'uploads.event-created': 'event.created.v1',
  'uploads.event-changed': 'event.changed.v1',
  'uploads.event-deleted': 'event.deleted.v1',
  'uploads.media-processed': 'media.processed.v1',
  'uploads.media-failed': 'media.failed.v1',
  'uploads.media-rendered': 'media.rendered.v1',
  'uploads.media-copied': 'media.copied.v1',
  'uploads.queue-created': 'queue.created.v1',
  'media.upload-completed': 'upload.completed.v1',
  'media.upload-deleted': 'upload.deleted.v1',
  'media.rendition-requested': 'media.rendition-requested.v1',
  'media.copy-requested': 'media.copy-requested.v1',
  'notifications.user-registered': 'user.registered.v1',
  'notifications.user-changed': 'user.changed.v1',
  'notifications.user-deleted': 'user.deleted.v1',
  'notifications.user-mail-requested': 'user.mail-requested.v1',
  'notifications.event-created': 'event.created.v1',
  'notifications.event-changed': 'event.changed.v1',
  'notifications.event-deleted': 'event.deleted.v1',
  'notifications.organiser-invited': 'organiser.invited.v1',
  'notifications.upload-completed': 'upload.completed.v1',
  'notifications.contact-received': 'contact.received.v1',
  'notifications.contact-replied': 'contact.replied.v1',
  'auth.audit-recorded': 'audit.recorded.v1',
  'auth.event-deleted': 'event.deleted.v1',
  'auth.user-erased': 'user.erased.v1',
  'contact.user-deleted': 'user.deleted.v1',
} as const satisfies Record<string, MessageType>

export type QueueName = keyof typeof queues
export const queueNames = Object.keys(queues) as QueueName[]

/** Receives a message for each queue that was found missing. */
export const QUEUE_CREATED_QUEUE = 'uploads.queue-created' satisfies QueueName

/**
 * The queues that a service declares: its own, those for what it publishes, so that messages published before a consumer's
 * first start are kept, and the one that hears of missing queues.
 */
export const queuesOf = (service: string, publishes: readonly MessageType[]): QueueName[] =>
  queueNames.filter(
    (queue) =>
      queue.startsWith(`${service}.`) || publishes.includes(queues[queue]) || queue === QUEUE_CREATED_QUEUE,
  )

/** The delay before each retry, by default; after the last one a message is dead-lettered. */
export const defaultRetryDelaysMs: readonly number[] = [5_000, 30_000, 300_000]

// A message that crashed its consumer this many times is dead-lettered, too.
const DELIVERY_LIMIT = 5

const consumedTypes = new Set<MessageType>(Object.values(queues))
/**
 * Whether a queue is bound to this type, so that a message that reaches none is an error. Types that only subscriptions
 * receive have none while no subscriber is connected.
 */
export const hasSubscriber = (type: MessageType): boolean => consumedTypes.has(type)

/** The types of the messages that subscriptions receive, for the events that they follow. */
export const followedTypes = [
  'upload.completed.v1',
  'upload.changed.v1',
  'upload.deleted.v1',
  'event.changed.v1',
  'event.deleted.v1',
] as const satisfies MessageType[]
export type FollowedType = (typeof followedTypes)[number]
const isFollowed = (message: Pick<Envelope, 'type' | 'data'>): message is Envelope<FollowedType> =>
  followedTypes.some((type) => type === message.type)

/** By this key a subscription gets what concerns an event. */
export const followingKey = (eventId: string): string => `followed.${eventId}`

/** The routing keys that a message has beside its type, as `BCC`: the broker removes that before it delivers. */
export const furtherRoutingKeys = (message: Pick<Envelope, 'type' | 'data'>): { BCC?: string[] } => {
  if (!isFollowed(message)) return {}
  const { data } = message
  return { BCC: [followingKey('eventId' in data ? data.eventId : data._id)] }
}

/** The names of exchanges and queues; `namespace` lets several installations share a broker. */
export const topologyNames = (namespace: string) => ({
  exchange: namespace,
  queue: (queue: QueueName) => `${namespace}.${queue}`,
  deadQueue: (queue: QueueName) => `${namespace}.${queue}.dead-letters`,
  /** Where versions before 0.2 kept dead letters, without an end: the arguments of a queue cannot be changed. */
  formerDeadQueue: (queue: QueueName) => `${namespace}.${queue}.dead`,
  deadExchange: `${namespace}.dead`,
  retry: (delayMs: number) => `${namespace}.retry.${delayMs}`,
})

/** Dead letters may have addresses and links that give access: what nobody has sent again until then is removed. */
const DEAD_LETTER_TTL_MS = 30 * 24 * 3_600_000

const quorum = { 'x-queue-type': 'quorum' }

/** A durable queue at the broker. */
interface BrokerQueue {
  name: string
  arguments: Readonly<Record<string, unknown>>
  /** The exchange and the routing key whose messages it receives. */
  exchange: string
  routingKey: string
}

/** The queues for retries, and each of `declared` with the one for its dead letters. */
const brokerQueues = (
  namespace: string,
  declared: readonly QueueName[],
  retryDelaysMs: readonly number[],
): BrokerQueue[] => {
  const names = topologyNames(namespace)
  const retries = retryDelaysMs.map((delayMs) => ({
    name: names.retry(delayMs),
    arguments: {
      ...quorum,
      'x-message-ttl': delayMs,
      // To the default exchange, which routes by the original routing key: the queue whose consumer failed.
      'x-dead-letter-exchange': '',
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
    exchange: names.retry(delayMs),
    routingKey: '',
  }))
  const consumed = declared.flatMap((queue) => [
    {
      name: names.deadQueue(queue),
      // Listing dead letters returns them to this queue, which must not count as a failed delivery.
      arguments: { ...quorum, 'x-delivery-limit': 1_000_000, 'x-message-ttl': DEAD_LETTER_TTL_MS },
      exchange: names.deadExchange,
      routingKey: names.queue(queue),
    },
    {
      name: names.queue(queue),
      arguments: {
        ...quorum,
        'x-delivery-limit': DELIVERY_LIMIT,
        'x-dead-letter-exchange': names.deadExchange,
        'x-dead-letter-routing-key': names.queue(queue),
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      },
      exchange: names.exchange,
      routingKey: queues[queue],
    },
  ])
  return [...retries, ...consumed]
}

/** The names at the broker of the queues that `assertTopology` declares. */
export const brokerQueueNames = (
  namespace: string,
  declared: readonly QueueName[] = queueNames,
  retryDelaysMs = defaultRetryDelaysMs,
): string[] => brokerQueues(namespace, declared, retryDelaysMs).map(({ name }) => name)

// RabbitMQ needs some milliseconds for each quorum queue, and answers on each channel in order.
const CHANNELS = 8

/**
 * Declares all exchanges, and `declared` with the queues for retries and dead letters; of queues that are not missing only
 * their bindings. Idempotent.
 */
export const assertTopology = async (
  connection: ChannelModel,
  namespace: string,
  declared: readonly QueueName[] = queueNames,
  isMissing: (name: string) => boolean = () => true,
  retryDelaysMs = defaultRetryDelaysMs,
): Promise<void> => {
  const onChannel = async (work: (channel: Channel) => Promise<void>): Promise<void> => {
    const channel = await connection.createChannel()
    // The call that it ends rejects, too.
    channel.on('error', () => undefined)
    await work(channel)
    await channel.close()
  }
  const names = topologyNames(namespace)
  await onChannel(async (channel) => {
    await channel.assertExchange(names.exchange, 'topic', { durable: true })
    await channel.assertExchange(names.deadExchange, 'direct', { durable: true })
    for (const delayMs of retryDelaysMs)
      await channel.assertExchange(names.retry(delayMs), 'fanout', { durable: true })
  })
  const waiting = brokerQueues(namespace, declared, retryDelaysMs)
  const declareWaiting = async (channel: Channel): Promise<void> => {
    for (let queue = waiting.pop(); queue; queue = waiting.pop()) {
      if (isMissing(queue.name))
        await channel.assertQueue(queue.name, { durable: true, arguments: queue.arguments })
      await channel.bindQueue(queue.name, queue.exchange, queue.routingKey)
    }
  }
  await Promise.all(Array.from({ length: CHANNELS }, () => onChannel(declareWaiting)))
}
