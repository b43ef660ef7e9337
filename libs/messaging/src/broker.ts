import { setTimeout as sleep } from 'node:timers/promises'
import { inSpan, type Logger } from '@confetti/service-kit'
import { connect, type ChannelModel } from 'amqplib'
import { runConsumer, type Consumer, type RunningConsumer } from './consumer.ts'
import { createJobs } from './jobs.ts'
import { toEnvelope, type Message } from './message.ts'
import type { MessagingMetrics } from './metrics.ts'
import { createPublish, UnroutableError, type Publish } from './publisher.ts'
import { assertTopology, hasSubscriber, namesIn } from './topology.ts'
import { watchQueues } from './watch-queues.ts'
import { withinTime } from './within-time.ts'

const HEARTBEAT_SECONDS = 10
const CONNECT_TIME_LIMIT_MS = 10_000
const LONGEST_PAUSE_MS = 10_000

export interface Broker {
  connected: () => boolean
  /** Tells a fact; resolves when the broker has it safe. Rejects at once while the broker is away. */
  publish: (message: Message) => Promise<void>
  /** Takes no further messages; resolves when those in work are done. Publishing goes on. */
  stopConsuming: () => Promise<void>
  close: () => Promise<void>
}

/** One connection's lifetime: its channels stand and fall together. */
interface Session {
  model: ChannelModel
  publish: Publish
  consumers: RunningConsumer[]
}

/**
 * Keeps a connection to RabbitMQ: returns at once, connects in the background, and after any outage connects
 * again by itself, with backoff and jitter, declares the topology and resumes the consumers. Whatever ends one channel
 * (a queue deleted, a broker that misses its heartbeats) renews the whole connection.
 */
export const connectBroker = ({
  url,
  namespace,
  source,
  consumers,
  metrics,
  logger,
}: {
  url: string
  namespace: string
  /** The service, as CloudEvents' `source`. */
  source: string
  consumers: readonly Consumer[]
  metrics: MessagingMetrics
  logger: Logger
}): Broker => {
  const { exchange } = namesIn(namespace)
  const workers = consumers.map((consumer) => ({ consumer, jobs: createJobs(consumer.prefetch) }))
  let session: Session | undefined
  let resuming: Promise<Session> | undefined
  let consuming = true
  const closing = new AbortController()
  const isClosing = (): boolean => closing.signal.aborted

  const resume = async (model: ChannelModel): Promise<Session> => {
    const end = (): void => void model.close().catch(() => undefined)
    const openChannel = async () => {
      const channel = await model.createConfirmChannel()
      channel.on('error', (error) => logger.warn({ err: error }, 'broker channel failed'))
      channel.on('close', end)
      return channel
    }
    const channel = await openChannel()
    await assertTopology(channel, namespace)
    const publish = createPublish(channel)
    const running: RunningConsumer[] = []
    for (const worker of consuming ? workers : [])
      running.push(
        await runConsumer({
          channel: await openChannel(),
          publish,
          namespace,
          ...worker,
          metrics,
          logger,
          renew: end,
        }),
      )
    return { model, publish, consumers: running }
  }

  /** One session from its start to its end. Rejects when it could not be opened. */
  const connectOnce = async (onOpen: () => void): Promise<void> => {
    const model = await connect(`${url}${url.includes('?') ? '&' : '?'}heartbeat=${HEARTBEAT_SECONDS}`, {
      timeout: CONNECT_TIME_LIMIT_MS,
      clientProperties: { connection_name: source },
    })
    model.on('error', (error) => logger.warn({ err: error }, 'broker connection failed'))
    // Short of memory or disk it reads nothing more from who publishes; heartbeats go on.
    model.on('blocked', (reason) => logger.warn({ reason }, 'broker takes nothing'))
    model.on('unblocked', () => logger.info('broker takes messages again'))
    const ended = new Promise<void>((resolve) => model.once('close', () => resolve()))
    try {
      resuming = withinTime(resume(model))
      session = await resuming
    } catch (error) {
      // Not awaited: a broker that does not answer does not say goodbye either.
      void model.close().catch(() => undefined)
      throw error
    }
    if (isClosing()) void model.close().catch(() => undefined)
    onOpen()
    await ended
    session = undefined
    resuming = undefined
  }

  const keepConnected = async (): Promise<void> => {
    for (let failures = 0; !isClosing(); failures += 1) {
      try {
        await connectOnce(() => {
          failures = 0
          logger.info('broker connected')
        })
        if (!isClosing()) logger.warn('broker away')
      } catch (error) {
        if (failures === 0) logger.warn({ err: error }, 'broker away')
      }
      const pause = Math.min(200 * 2 ** failures, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2)
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  const kept = keepConnected()
  const connected = (): boolean => session !== undefined
  metrics.showConnection(connected)
  const stopWatching = watchQueues({
    connection: () => session?.model,
    namespace,
    queues: consumers.map(({ queue }) => queue),
    metrics,
    logger,
  })

  const send = async ({ model, publish }: Session, message: Message): Promise<void> => {
    try {
      await publish({
        exchange,
        routingKey: message.type,
        content: Buffer.from(JSON.stringify(toEnvelope(message, source))),
        properties: { contentType: 'application/cloudevents+json', messageId: message.id },
        mandatory: hasSubscriber(message.type),
      })
      metrics.published(message.type)
    } catch (error) {
      // A queue that vanished comes back with the next session, which declares the topology again.
      if (error instanceof UnroutableError) void model.close().catch(() => undefined)
      throw error
    }
  }

  return {
    connected,
    publish: async (message) => {
      const standing = session
      if (!standing) throw new Error('The broker is away')
      const attributes = {
        'messaging.system': 'rabbitmq',
        'messaging.operation.name': 'send',
        'messaging.operation.type': 'send',
        'messaging.destination.name': `${exchange}:${message.type}`,
        'messaging.message.id': message.id,
      }
      // Of the trace in which the fact was made, which may be long over.
      await inSpan(`send ${message.type}`, { kind: 'producer', parent: message, attributes }, () =>
        send(standing, message),
      )
    },
    stopConsuming: async () => {
      consuming = false
      // One that is only beginning has consumers to stop, too.
      const standing = await resuming?.catch(() => undefined)
      await Promise.all(standing?.consumers.map((running) => running.stop()) ?? [])
      // Also what an earlier session brought.
      await Promise.all(workers.map(({ jobs }) => jobs.over()))
    },
    close: async () => {
      closing.abort()
      await session?.model.close().catch(() => undefined)
      await Promise.all([kept, stopWatching()])
    },
  }
}
