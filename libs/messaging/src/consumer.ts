import type { Envelope, MessageType } from '@confetti/contracts'
import {
  inSpan,
  isUnavailable,
  recordSpanError,
  withRequestId,
  withUploadId,
  type Logger,
} from '@confetti/service-kit'
import type { Channel, ConsumeMessage } from 'amqplib'
import pLimit from 'p-limit'
import { withBrokerTimeout } from './broker-timeout.ts'
import { InvalidMessageError, parseMessage } from './message.ts'
import type { MessagingMetrics } from './metrics.ts'
import { copyOf, type Publish } from './publisher.ts'
import { queues, topologyNames, type QueueName } from './topology.ts'

/** Runs tasks with limited concurrency. */
interface TaskQueue {
  /** Adds a task. Tasks with the same key run one after the other, in the order in which they were added. */
  add: (key: string, task: () => Promise<void>) => void
  /** Resolves when all tasks added so far are done. */
  onIdle: () => Promise<void>
}

export const createTaskQueue = (concurrency: number): TaskQueue => {
  const limit = pLimit(concurrency)
  /** The last task of each key. */
  const inFlight = new Map<string, Promise<void>>()
  return {
    add: (key, task) => {
      const previous = inFlight.get(key)
      // It does not take a slot while it waits.
      const running = (previous ? previous.then(() => limit(task)) : limit(task)).finally(() => {
        if (inFlight.get(key) === running) inFlight.delete(key)
      })
      inFlight.set(key, running)
    },
    onIdle: async () => {
      await Promise.all(inFlight.values())
    },
  }
}

export const ATTEMPT_HEADER = 'x-attempt'
export const REASON_HEADER = 'x-reason'
/** How often the message was delayed because a dependency was unavailable. */
const OUTAGE_HEADER = 'x-outages'

/**
 * Handles one message. The same message can be delivered more than once, and messages in any order.
 * If it throws, the message is retried later: up to the last attempt, or as long as a dependency is unavailable.
 */
type Handler<T extends MessageType> = (message: Envelope<T>) => Promise<unknown>

export interface Consumer {
  queue: QueueName
  handle: Handler<MessageType>
  /** How many messages are handled concurrently. */
  prefetch: number
}

/** Defines the consumer of a queue. `prefetch` limits how many messages it handles concurrently. */
export const defineConsumer = <Q extends QueueName>(
  queue: Q,
  handle: Handler<(typeof queues)[Q]>,
  { prefetch = 10 }: { prefetch?: number } = {},
): Consumer => ({ queue, handle: handle as Handler<MessageType>, prefetch })

/** Runs `work` in the context of the message's request and, if it concerns one, of its upload. */
const withMessageContext = <T>({ id, requestid, data }: Envelope, work: () => T): T =>
  withRequestId(requestid ?? id, () => ('uploadId' in data ? withUploadId(data.uploadId, work) : work()))

const readCount = ({ properties }: ConsumeMessage, header: string): number =>
  Number(properties.headers?.[header] ?? 0)

/** Without addresses and links, which an error may quote. */
export const reasonOf = (error: unknown): string =>
  String(error instanceof Error ? error.message : error)
    // Before it is cut, which may leave half of an address.
    .replaceAll(/\S+@\S+|\w+:\/\/\S+/g, '…')
    .slice(0, 500)

export interface RunningConsumer {
  /** Starts no further message; resolves when the broker has confirmed that, or does not answer. */
  stop: () => Promise<void>
}

/**
 * Consumes a queue. A message is acknowledged only after it has been handled, or after the broker has confirmed its copy
 * in a retry or dead-letter queue.
 */
export const runConsumer = async ({
  channel,
  publish,
  namespace,
  consumer: { queue, handle, prefetch },
  tasks,
  retryDelaysMs,
  metrics,
  logger,
  reconnect,
}: {
  channel: Channel
  publish: Publish
  namespace: string
  consumer: Consumer
  tasks: TaskQueue
  /** The delay before each retry. */
  retryDelaysMs: readonly number[]
  metrics: MessagingMetrics
  logger: Logger
  /** Closes the session, so that a new one is opened. */
  reconnect: () => void
}): Promise<RunningConsumer> => {
  const names = topologyNames(namespace)
  /** The delay while a dependency is unavailable: first, and from then on until it is back. */
  const outageDelaysMs = retryDelaysMs.slice(0, 2)
  let isStopped = false

  /** Copies a message to the retry queue of `delayMs`, or else to the dead-letter queue. */
  const copy = (
    delivery: ConsumeMessage,
    delayMs: number | undefined,
    headers: Record<string, number>,
    error: unknown,
  ): Promise<void> => {
    const to = {
      exchange: delayMs ? names.retry(delayMs) : names.deadExchange,
      routingKey: names.queue(queue),
    }
    return publish(copyOf(delivery, to, { ...headers, [REASON_HEADER]: reasonOf(error) }))
  }

  /** An outage is no attempt: however long it lasts, the message is handled after it. */
  const delayUntilAvailable = async (delivery: ConsumeMessage, error: unknown): Promise<void> => {
    const [attempt, outages] = [readCount(delivery, ATTEMPT_HEADER), readCount(delivery, OUTAGE_HEADER)]
    const delayMs = outageDelaysMs[Math.min(outages, outageDelaysMs.length - 1)]
    logger.warn({ err: error, queue, attempt, delayMs }, 'a dependency is unavailable, message delayed')
    await copy(delivery, delayMs, { [ATTEMPT_HEADER]: attempt, [OUTAGE_HEADER]: outages + 1 }, error)
    metrics.handled(queue, 'unavailable')
  }

  const retryOrDeadLetter = async (delivery: ConsumeMessage, error: unknown): Promise<void> => {
    const attempt = readCount(delivery, ATTEMPT_HEADER)
    const delayMs = error instanceof InvalidMessageError ? undefined : retryDelaysMs[attempt]
    logger.warn(
      { err: error, queue, attempt, delayMs },
      delayMs ? 'message failed, will retry' : 'message dead-lettered',
    )
    await copy(delivery, delayMs, { [ATTEMPT_HEADER]: attempt + 1 }, error)
    metrics.handled(queue, delayMs ? 'retried' : 'dead')
  }

  const processMessage = (delivery: ConsumeMessage, message: Envelope): Promise<void> => {
    const isFirstDelivery =
      readCount(delivery, ATTEMPT_HEADER) === 0 &&
      readCount(delivery, OUTAGE_HEADER) === 0 &&
      !delivery.fields.redelivered
    if (isFirstDelivery) metrics.firstAttempt(queue, message.time)
    const attributes = {
      'messaging.system': 'rabbitmq',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': `${names.exchange}:${message.type}:${names.queue(queue)}`,
      'messaging.message.id': message.id,
    }
    return inSpan(`process ${queue}`, { kind: 'consumer', parent: message, attributes }, async (span) => {
      const startedAt = performance.now()
      try {
        await handle(message)
        metrics.handled(queue, 'handled')
        logger.info({ queue, milliseconds: Math.round(performance.now() - startedAt) }, 'message handled')
      } catch (error) {
        recordSpanError(span, error)
        await (isUnavailable(error) ? delayUntilAvailable : retryOrDeadLetter)(delivery, error)
      }
    })
  }

  const handleDelivery = async (delivery: ConsumeMessage): Promise<void> => {
    const message = parseMessage(delivery.content, [queues[queue]])
    if (message instanceof InvalidMessageError) await retryOrDeadLetter(delivery, message)
    else await withMessageContext(message, () => processMessage(delivery, message))
    channel.ack(delivery)
  }

  // Deliveries that have not been started are delivered again to the next session.
  channel.once('close', () => {
    isStopped = true
  })
  await channel.prefetch(prefetch)
  const { consumerTag } = await channel.consume(names.queue(queue), (delivery) => {
    if (!delivery) {
      // The broker cancelled the consumer: the queue has been deleted.
      reconnect()
      return
    }
    tasks.add(String(delivery.properties.messageId), async () => {
      if (isStopped) return
      try {
        await handleDelivery(delivery)
      } catch (error) {
        // Neither handled nor copied. The next session receives the message again.
        logger.warn({ err: error, queue }, 'failed to settle message, reconnecting')
        reconnect()
      }
    })
  })

  return {
    stop: async () => {
      // A queue that hangs must not keep the process alive. What it still delivers is not acknowledged.
      isStopped = true
      try {
        await withBrokerTimeout(channel.cancel(consumerTag))
      } catch (error) {
        logger.warn({ err: error, queue }, 'failed to cancel consumer')
      }
    },
  }
}
