import { runPeriodically, type Logger } from '@confetti/service-kit'
import { connect as connectByNetwork, type ChannelModel, type SocketOptions } from 'amqplib'
import pTimeout from 'p-timeout'
import { withBrokerTimeout } from './broker-timeout.ts'
import type { MessagingMetrics } from './metrics.ts'
import { topologyNames, type QueueName } from './topology.ts'

/** Connects to a broker, as amqplib does. */
export type Connect = (url: string, options?: SocketOptions) => Promise<ChannelModel>

const exists = async (connection: ChannelModel, name: string): Promise<boolean> => {
  // A channel for each query, because a query for a missing queue closes it.
  const channel = await connection.createChannel()
  const isMissing = new Promise<boolean>((resolve) => {
    channel.on('error', (error: { code?: number }) => resolve(error.code === 404))
    // Without an error if the connection is lost.
    channel.on('close', () => resolve(false))
  })
  try {
    await channel.checkQueue(name)
    return true
  } catch (error) {
    if (await isMissing) return false
    throw error
  }
}

/**
 * Those of `names` that the broker does not have: before the first start, or because they were lost. It uses a connection
 * of its own: RabbitMQ may never answer on a channel whose number an error has just closed.
 */
export const findMissingQueues = async (
  url: string,
  names: readonly string[],
  connect: Connect = connectByNetwork,
): Promise<Set<string>> => {
  const connection = await connect(url, { timeout: 10_000 })
  connection.on('error', () => undefined)
  try {
    const isPresent = await withBrokerTimeout(Promise.all(names.map((name) => exists(connection, name))))
    return new Set(names.filter((_, index) => !isPresent[index]))
  } finally {
    // Not awaited: a broker that does not answer does not confirm the close either.
    void connection.close().catch(() => undefined)
  }
}

const QUERY_TIMEOUT_MS = 5_000

/**
 * Measures the lengths of `queues` and of the retry queues periodically. While the broker is disconnected, the metrics keep
 * their last values. Returns a function that stops it.
 */
export const monitorQueues = ({
  connection,
  namespace,
  queues,
  retryDelaysMs,
  intervalMs,
  metrics,
  logger,
}: {
  /** The current connection, if any. */
  connection: () => ChannelModel | undefined
  namespace: string
  queues: readonly QueueName[]
  retryDelaysMs: readonly number[]
  intervalMs: number
  metrics: MessagingMetrics
  logger: Logger
}): (() => Promise<void>) => {
  const names = topologyNames(namespace)
  const unanswered = new Set<string>()

  const queryLength = async (name: string): Promise<number | undefined> => {
    try {
      // A channel for each query, because a query for a missing queue closes it.
      const channel = await connection()?.createChannel()
      channel?.on('error', (error) => logger.debug({ err: error }, 'failed to query queue'))
      const queue = await channel?.checkQueue(name)
      await channel?.close()
      return queue?.messageCount
    } catch {
      return undefined
    }
  }

  /** The length of a queue, or undefined if the broker does not answer. */
  const lengthOf = async (name: string): Promise<number | undefined> => {
    // An unanswered query occupies a channel, and a connection has a limited number of them.
    if (unanswered.has(name)) return undefined
    unanswered.add(name)
    const answer = queryLength(name).finally(() => unanswered.delete(name))
    return pTimeout(answer, { milliseconds: QUERY_TIMEOUT_MS, fallback: () => undefined })
  }

  const measure = async (queue: QueueName): Promise<void> => {
    const [ready, dead] = await Promise.all([lengthOf(names.queue(queue)), lengthOf(names.deadQueue(queue))])
    metrics.queueLengths(queue, { ready, dead })
  }
  const measureRetries = async (delayMs: number): Promise<void> =>
    metrics.retryQueueLength(delayMs, await lengthOf(names.retry(delayMs)))

  // Concurrently, so that no channel reuses the number of one that an error has just closed: RabbitMQ may then never
  // answer on it.
  const measureAll = async (): Promise<void> => {
    await Promise.all([...queues.map(measure), ...retryDelaysMs.map(measureRetries)])
  }
  // A service without consumers leaves the retry queues to the others.
  if (queues.length === 0) return () => Promise.resolve()
  return runPeriodically(measureAll, { name: 'queue monitor', intervalMs, logger })
}
