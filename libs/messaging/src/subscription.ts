import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Envelope } from '@confetti/contracts'
import type { Logger } from '@confetti/service-kit'
import type { Channel } from 'amqplib'
import { InvalidMessageError, parseMessage } from './message.ts'
import { followedTypes, followingKey, topologyNames, type FollowedType } from './topology.ts'

/**
 * Messages about the events that a replica follows, in a queue of its own, which exists as long as its connection. There
 * are no retries and no dead letters: `onGap` says that messages may be missing, and the subscriber loads what it needs
 * again.
 */
export interface Subscription {
  /** By type. They must not throw. The same message can be delivered more than once, and messages in any order. */
  handlers: { readonly [T in FollowedType]: (message: Envelope<T>) => void }
  /**
   * The queue has been created, or it was full and has lost messages, which is said every few seconds while it loses more.
   * Messages from before may be missing.
   */
  onGap: () => void
  /** How many messages wait at most, by default 10,000. Beyond that the oldest are dropped. */
  maxLength?: number
}

const DEFAULT_MAX_LENGTH = 10_000
const PREFETCH = 100
const GAP_INTERVAL_MS = 5_000

export interface RunningSubscription {
  /** Resolves when the queue gets what concerns this event. */
  follow: (eventId: string) => Promise<unknown>
  unfollow: (eventId: string) => Promise<unknown>
}

/** Declares the queue of a subscription and consumes it. */
export const runSubscription = async ({
  channel,
  namespace,
  name,
  followed,
  subscription: { handlers, onGap, maxLength = DEFAULT_MAX_LENGTH },
  logger,
  reconnect,
}: {
  channel: Channel
  namespace: string
  /** Part of the queue's name, for operators. */
  name: string
  /** The ids of the events to follow from the beginning. */
  followed: ReadonlySet<string>
  subscription: Subscription
  logger: Logger
  /** Closes the session, so that a new one is opened. */
  reconnect: () => void
}): Promise<RunningSubscription> => {
  // A new name each time: the broker may still have the queue of a connection that was lost.
  const queue = `${namespace}.${name}.${randomUUID()}`
  const droppedQueue = `${queue}.dropped`
  const ownQueue = { exclusive: true, autoDelete: true, durable: false }
  // One dropped message is enough to know of.
  await channel.assertQueue(droppedQueue, {
    ...ownQueue,
    arguments: { 'x-max-length': 1, 'x-overflow': 'drop-head' },
  })
  await channel.assertQueue(queue, {
    ...ownQueue,
    arguments: {
      'x-max-length': maxLength,
      'x-overflow': 'drop-head',
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': droppedQueue,
    },
  })
  const { exchange } = topologyNames(namespace)
  const follow = (eventId: string) => channel.bindQueue(queue, exchange, followingKey(eventId))
  await Promise.all([...followed].map(follow))

  const receive = (content: Buffer): void => {
    const message = parseMessage(content, followedTypes)
    if (message instanceof InvalidMessageError) logger.warn({ err: message }, 'invalid message ignored')
    else (handlers[message.type] as (message: Envelope) => void)(message)
  }
  const consume = async (
    queueName: string,
    prefetch: number,
    onMessage: (content: Buffer) => void | Promise<void>,
  ) => {
    await channel.prefetch(prefetch)
    await channel.consume(queueName, (delivery) => {
      if (!delivery) {
        // The broker cancelled the consumer: the queue has been deleted.
        reconnect()
        return
      }
      const handled = onMessage(delivery.content)
      if (handled) void handled.then(() => channel.ack(delivery)).catch(reconnect)
      else channel.ack(delivery)
    })
  }
  onGap()
  await consume(droppedQueue, 1, async () => {
    logger.warn('messages were dropped: the queue of the subscription was full')
    onGap()
    // What is dropped meanwhile waits, and is told of then.
    await sleep(GAP_INTERVAL_MS, undefined, { ref: false })
  })
  await consume(queue, PREFETCH, receive)
  return {
    follow,
    unfollow: (eventId) => channel.unbindQueue(queue, exchange, followingKey(eventId)),
  }
}
