import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageType } from '@confetti/contracts'
import { inSpan, unavailable, type Logger } from '@confetti/service-kit'
import { connect as connectByNetwork, type ChannelModel } from 'amqplib'
import { withBrokerTimeout } from './broker-timeout.ts'
import { createTaskQueue, runConsumer, type Consumer, type RunningConsumer } from './consumer.ts'
import { moveFormerDeadLetters } from './dead-letters.ts'
import { findMissingQueues, monitorQueues, type Connect } from './monitor-queues.ts'
import { newMessage, toEnvelope, type Message } from './message.ts'
import type { MessagingMetrics } from './metrics.ts'
import { createPublish, UnroutableError, type Publish } from './publisher.ts'
import { runSubscription, type RunningSubscription, type Subscription } from './subscription.ts'
import {
  assertTopology,
  brokerQueueNames,
  defaultRetryDelaysMs,
  furtherRoutingKeys,
  hasSubscriber,
  QUEUE_CREATED_QUEUE,
  queuesOf,
  topologyNames,
} from './topology.ts'

const HEARTBEAT_SECONDS = 10
const MONITOR_INTERVAL_MS = 10_000
const CONNECT_TIMEOUT_MS = 10_000
const MAX_RECONNECT_DELAY_MS = 10_000

export interface Broker {
  isConnected: () => boolean
  /** Publishes a message; resolves when the broker has confirmed it. Rejects at once while disconnected. */
  publish: (message: Message) => Promise<void>
  /**
   * Lets the subscription receive what concerns an event: from when it resolves, and again after each reconnect, until
   * `unfollow`. Rejects while disconnected.
   */
  follow: (eventId: string) => Promise<void>
  unfollow: (eventId: string) => void
  /** Stops consuming; resolves when the messages in progress are done. Publishing continues. */
  stopConsuming: () => Promise<void>
  close: () => Promise<void>
}

export interface BrokerOptions {
  /** How to connect. Absent: by the network. */
  connect?: Connect
  /** How often the lengths of the queues are measured. */
  monitorIntervalMs?: number
}

/** The address with the interval of heartbeats, unless it names one itself. */
const withHeartbeat = (url: string): string => {
  const address = new URL(url)
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS))
  return address.href
}

/** One connection and its channels. If one channel fails, the whole session is closed. */
interface Session {
  model: ChannelModel
  publish: Publish
  consumers: RunningConsumer[]
  subscription: RunningSubscription | undefined
}

/**
 * Maintains a connection to RabbitMQ. It returns at once and connects in the background. After an outage it reconnects
 * with backoff and jitter, declares the queues of its service and resumes the consumers. It publishes `queue.created` for
 * each queue that it found missing, whose messages may be lost. Any failure of a channel (a deleted queue, missed
 * heartbeats) renews the whole connection.
 */
export const connectBroker = ({
  url,
  namespace,
  service,
  publishes,
  consumers,
  subscription,
  retryDelaysMs = defaultRetryDelaysMs,
  monitorIntervalMs = MONITOR_INTERVAL_MS,
  connect = connectByNetwork,
  metrics,
  logger,
}: {
  url: string
  namespace: string
  service: string
  /** The types of the messages that it may publish. */
  publishes: readonly MessageType[]
  consumers: readonly Consumer[]
  subscription?: Subscription | undefined
  /** The delay before each retry of a message. All services of a namespace have the same. */
  retryDelaysMs?: readonly number[]
  metrics: MessagingMetrics
  logger: Logger
} & BrokerOptions): Broker => {
  const { exchange } = topologyNames(namespace)
  // The `source` of its CloudEvents.
  const source = `/services/${service}`
  const declared = queuesOf(service, publishes)
  // They outlive a connection: a message in progress is finished while its redelivery waits in the same queue.
  const workers = consumers.map((consumer) => ({ consumer, tasks: createTaskQueue(consumer.prefetch) }))
  /** The ids of the events that the subscription follows. */
  const followed = new Set<string>()
  let session: Session | undefined
  let opening: Promise<Session> | undefined
  let isConsuming = true
  const closing = new AbortController()
  const isClosing = (): boolean => closing.signal.aborted
  // A failure is emitted in the context of the request whose message was being written.
  const logFailure = (message: string) =>
    AsyncLocalStorage.bind((error: unknown) => logger.warn({ err: error }, message))

  const send = async (
    { model, publish }: Pick<Session, 'model' | 'publish'>,
    message: Message,
  ): Promise<void> => {
    try {
      await publish({
        exchange,
        routingKey: message.type,
        content: Buffer.from(JSON.stringify(toEnvelope(message, source))),
        properties: {
          contentType: 'application/cloudevents+json',
          messageId: message.id,
          ...furtherRoutingKeys(message),
        },
        mandatory: hasSubscriber(message.type),
      })
      metrics.published(message.type)
    } catch (error) {
      // The queue has been deleted: the next session declares the topology again.
      if (error instanceof UnroutableError) void model.close().catch(() => undefined)
      throw unavailable(error instanceof Error ? error.message : 'The broker refused the message', 2, error)
    }
  }

  const openSession = async (model: ChannelModel): Promise<Session> => {
    const close = (): void => void model.close().catch(() => undefined)
    const openChannel = async () => {
      const channel = await model.createConfirmChannel()
      channel.on('error', logFailure('broker channel failed'))
      channel.on('close', close)
      return channel
    }
    const names = topologyNames(namespace)
    const consumed = consumers.map(({ queue }) => queue)
    const missing = await findMissingQueues(
      url,
      [...brokerQueueNames(namespace, declared, retryDelaysMs), ...consumed.map(names.formerDeadQueue)],
      connect,
    )
    const isMissing = (name: string): boolean => missing.has(name)
    const missingQueues = declared.filter((queue) => isMissing(names.queue(queue)))
    const publish = createPublish(await openChannel())
    if (missingQueues.length > 0) {
      logger.warn({ queues: missingQueues }, 'queues are missing, declaring them')
      // Before the others: if this session fails half way, the next one must find them missing, too.
      await assertTopology(model, namespace, [QUEUE_CREATED_QUEUE], isMissing, retryDelaysMs)
      for (const queue of missingQueues)
        await send({ model, publish }, newMessage('queue.created.v1', { queue }))
    }
    await assertTopology(model, namespace, declared, isMissing, retryDelaysMs)
    for (const queue of consumed.filter((each) => !isMissing(names.formerDeadQueue(each))))
      // Not awaited: there may be many.
      void moveFormerDeadLetters(model, { namespace, queue }).catch(
        logFailure('failed to move dead letters, will retry with the next connection'),
      )
    const running: RunningConsumer[] = []
    for (const worker of isConsuming ? workers : [])
      running.push(
        await runConsumer({
          channel: await openChannel(),
          publish,
          namespace,
          ...worker,
          retryDelaysMs,
          metrics,
          logger,
          reconnect: close,
        }),
      )
    const subscribed =
      subscription && isConsuming
        ? await runSubscription({
            channel: await openChannel(),
            namespace,
            name: service,
            followed,
            subscription,
            logger,
            reconnect: close,
          })
        : undefined
    return { model, publish, consumers: running, subscription: subscribed }
  }

  /** Runs one session; resolves when it has ended. Rejects if it could not be opened. */
  const runSession = async (onOpen: () => void): Promise<void> => {
    const model = await connect(withHeartbeat(url), {
      timeout: CONNECT_TIMEOUT_MS,
      clientProperties: { connection_name: source },
    })
    model.on('error', logFailure('broker connection failed'))
    // When its memory or disk is short, the broker stops reading from publishers, while heartbeats continue.
    model.on('blocked', (reason) => logger.warn({ reason }, 'broker blocks publishers'))
    model.on('unblocked', () => logger.info('broker accepts messages again'))
    const ended = new Promise<void>((resolve) => model.once('close', () => resolve()))
    try {
      opening = withBrokerTimeout(openSession(model))
      session = await opening
    } catch (error) {
      // Not awaited: a broker that does not answer does not confirm the close either.
      void model.close().catch(() => undefined)
      throw error
    }
    if (isClosing()) void model.close().catch(() => undefined)
    onOpen()
    await ended
    session = undefined
    opening = undefined
  }

  const keepConnected = async (): Promise<void> => {
    for (let failures = 0; !isClosing(); failures += 1) {
      try {
        await runSession(() => {
          failures = 0
          logger.info('broker connected')
        })
        if (!isClosing()) logger.warn('broker disconnected')
      } catch (error) {
        if (failures === 0) logger.warn({ err: error }, 'broker disconnected')
      }
      const delayMs = Math.min(200 * 2 ** failures, MAX_RECONNECT_DELAY_MS) * (0.5 + Math.random() / 2)
      await sleep(delayMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  const connection = keepConnected()
  const isConnected = (): boolean => session !== undefined
  metrics.observeConnection(isConnected)
  const stopMonitor = monitorQueues({
    connection: () => session?.model,
    namespace,
    queues: consumers.map(({ queue }) => queue),
    retryDelaysMs,
    intervalMs: monitorIntervalMs,
    metrics,
    logger,
  })

  return {
    isConnected,
    publish: async (message) => {
      if (!publishes.includes(message.type))
        throw new Error(`${service} publishes ${message.type}, whose queues it does not declare`)
      const current = session
      if (!current) throw unavailable('The broker is disconnected')
      const attributes = {
        'messaging.system': 'rabbitmq',
        'messaging.operation.name': 'send',
        'messaging.operation.type': 'send',
        'messaging.destination.name': `${exchange}:${message.type}`,
        'messaging.message.id': message.id,
      }
      // The parent is the trace in which the message was created, which may have ended long ago.
      await inSpan(`send ${message.type}`, { kind: 'producer', parent: message, attributes }, () =>
        send(current, message),
      )
    },
    follow: async (eventId) => {
      const current = session?.subscription
      if (!current) throw unavailable('The broker is disconnected')
      followed.add(eventId)
      await withBrokerTimeout(current.follow(eventId))
    },
    unfollow: (eventId) => {
      if (!followed.delete(eventId)) return
      // A connection that has ended took the queue with it.
      session?.subscription?.unfollow(eventId).catch(logFailure('failed to unfollow an event'))
    },
    stopConsuming: async () => {
      isConsuming = false
      // A session that is being opened has consumers to stop, too.
      const current = await opening?.catch(() => undefined)
      await Promise.all(current?.consumers.map((running) => running.stop()) ?? [])
      // Includes messages that an earlier session delivered.
      await Promise.all(workers.map(({ tasks }) => tasks.onIdle()))
    },
    close: async () => {
      closing.abort()
      // Not awaited: if the connection is lost meanwhile, amqplib never settles it. The connection ends in both cases.
      void session?.model.close().catch(() => undefined)
      await Promise.all([connection, stopMonitor()])
    },
  }
}
