import { setTimeout as sleep } from 'node:timers/promises'
import { repeat, type Logger } from '@confetti/service-kit'
import type { ChannelModel } from 'amqplib'
import type { MessagingMetrics } from './metrics.ts'
import { namesIn, retryDelaysMs, type QueueName } from './topology.ts'

const LOOK_EVERY_MS = 10_000
const ANSWER_TIME_LIMIT_MS = 5_000

/**
 * Asks the broker every 10 s, give or take, how long these queues are, and those in which the facts of all queues
 * wait to be tried again; while it is away the last answer stands. Returns how to stop.
 */
export const watchQueues = ({
  connection,
  namespace,
  queues,
  metrics,
  logger,
}: {
  /** The one that stands now, if any. */
  connection: () => ChannelModel | undefined
  namespace: string
  queues: readonly QueueName[]
  metrics: MessagingMetrics
  logger: Logger
}): (() => Promise<void>) => {
  const names = namesIn(namespace)
  const unanswered = new Set<string>()

  const ask = async (name: string): Promise<number | undefined> => {
    try {
      // A channel for each question, as one about a queue that is not there closes it.
      const channel = await connection()?.createChannel()
      channel?.on('error', (error) => logger.debug({ err: error }, 'queue not seen'))
      const queue = await channel?.checkQueue(name)
      await channel?.close()
      return queue?.messageCount
    } catch {
      return undefined
    }
  }

  /** Undefined while it cannot be told, also where a channel is never answered. */
  const lengthOf = async (name: string): Promise<number | undefined> => {
    // Each question takes a channel, of which a connection has so many.
    if (unanswered.has(name)) return undefined
    unanswered.add(name)
    const answer = ask(name).finally(() => unanswered.delete(name))
    return Promise.race([answer, sleep(ANSWER_TIME_LIMIT_MS, undefined, { ref: false })])
  }

  const lookAt = async (queue: QueueName): Promise<void> => {
    const [waiting, dead] = await Promise.all([
      lengthOf(names.queue(queue)),
      lengthOf(names.deadQueue(queue)),
    ])
    metrics.lengths(queue, { waiting, dead })
  }
  const lookAtRetries = async (delayMs: number): Promise<void> =>
    metrics.setAside(delayMs, await lengthOf(names.retry(delayMs)))

  // All at once, so that no channel takes the number of one that has just been closed for an error: RabbitMQ may
  // forget such a channel, and never answers on it.
  const look = async (): Promise<void> => {
    await Promise.all([...queues.map(lookAt), ...retryDelaysMs.map(lookAtRetries)])
  }
  // Who consumes nothing leaves the question to those who do.
  if (queues.length === 0) return () => Promise.resolve()
  return repeat(look, LOOK_EVERY_MS, logger)
}
