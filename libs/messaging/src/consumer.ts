import { envelope, messages, type Envelope, type MessageType } from '@confetti/contracts'
import { failSpan, inSpan, withRequestId, withUploadId, type Logger } from '@confetti/service-kit'
import type { Channel, ConsumeMessage } from 'amqplib'
import type { Jobs } from './jobs.ts'
import type { MessagingMetrics } from './metrics.ts'
import type { Publish } from './publisher.ts'
import { namesIn, queues, retryDelaysMs, type QueueName } from './topology.ts'
import { withinTime } from './within-time.ts'

export const ATTEMPT_HEADER = 'x-attempt'
export const REASON_HEADER = 'x-reason'

/** Handles one fact; may be given the same one again, and facts in any order. A throw means: try again later. */
export type Handler<T extends MessageType> = (message: Envelope<T>) => Promise<void>

export interface Consumer {
  queue: QueueName
  handle: Handler<MessageType>
  /** How many are worked on at once. */
  prefetch: number
}

/** One consumer: the queue, what is done with its facts, how many at once. */
export const consumer = <Q extends QueueName>(
  queue: Q,
  handle: Handler<(typeof queues)[Q]>,
  { prefetch = 10 }: { prefetch?: number } = {},
): Consumer => ({ queue, handle: handle as Handler<MessageType>, prefetch })

class UnreadableMessage extends Error {
  override name = 'UnreadableMessage'
}

const read = (content: Buffer, expected: MessageType): Envelope | UnreadableMessage => {
  try {
    const fact = envelope.parse(JSON.parse(content.toString()))
    if (fact.type !== expected) throw new Error(`expected ${expected}, got ${fact.type}`)
    return { ...fact, data: messages[expected].parse(fact.data) }
  } catch (error) {
    return new UnreadableMessage('The message does not satisfy its contract', { cause: error })
  }
}

/** Runs `work` so that what it logs names the request and, if the fact is about one, the upload. */
const onBehalfOf = <T>({ id, requestid, data }: Envelope, work: () => T): T =>
  withRequestId(requestid ?? id, () => ('uploadId' in data ? withUploadId(data.uploadId, work) : work()))

const attemptsOf = ({ properties }: ConsumeMessage): number =>
  Number(properties.headers?.[ATTEMPT_HEADER] ?? 0)

const reasonOf = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).slice(0, 500)

export interface RunningConsumer {
  /** Begins with no further message; resolves when the broker knows, or does not answer. */
  stop: () => Promise<void>
}

/**
 * Works on a queue. A message is acknowledged only when it was handled, or when the broker has confirmed that it
 * waits for its next attempt or lies with the dead letters.
 */
export const runConsumer = async ({
  channel,
  publish,
  namespace,
  consumer: { queue, handle, prefetch },
  jobs,
  metrics,
  logger,
  renew,
}: {
  channel: Channel
  publish: Publish
  namespace: string
  consumer: Consumer
  jobs: Jobs
  metrics: MessagingMetrics
  logger: Logger
  /** Ends the session, so that a new one begins. */
  renew: () => void
}): Promise<RunningConsumer> => {
  const names = namesIn(namespace)
  let stopped = false

  const setAside = async (message: ConsumeMessage, error: unknown): Promise<void> => {
    const attempt = attemptsOf(message)
    const delayMs = error instanceof UnreadableMessage ? undefined : retryDelaysMs[attempt]
    logger.warn({ err: error, queue, attempt, delayMs }, delayMs ? 'will try again' : 'dead letter')
    await publish({
      exchange: delayMs ? names.retry(delayMs) : names.deadExchange,
      routingKey: names.queue(queue),
      content: message.content,
      properties: {
        contentType: message.properties.contentType as string,
        messageId: String(message.properties.messageId),
        headers: { [ATTEMPT_HEADER]: attempt + 1, [REASON_HEADER]: reasonOf(error) },
      },
      mandatory: true,
    })
    metrics.settled(queue, delayMs ? 'retried' : 'dead')
  }

  const takeUp = (message: ConsumeMessage, fact: Envelope): Promise<void> => {
    if (attemptsOf(message) === 0 && !message.fields.redelivered) metrics.takenUp(queue, fact.time)
    const attributes = {
      'messaging.system': 'rabbitmq',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': `${names.exchange}:${fact.type}:${names.queue(queue)}`,
      'messaging.message.id': fact.id,
    }
    return inSpan(`process ${queue}`, { kind: 'consumer', parent: fact, attributes }, async (span) => {
      const started = performance.now()
      try {
        await handle(fact)
        metrics.settled(queue, 'handled')
        logger.info({ queue, milliseconds: Math.round(performance.now() - started) }, 'handled')
      } catch (error) {
        failSpan(span, error)
        await setAside(message, error)
      }
    })
  }

  const work = async (message: ConsumeMessage): Promise<void> => {
    const fact = read(message.content, queues[queue])
    if (fact instanceof UnreadableMessage) await setAside(message, fact)
    else await onBehalfOf(fact, () => takeUp(message, fact))
    channel.ack(message)
  }

  // What waits for its turn comes again with the next session.
  channel.once('close', () => {
    stopped = true
  })
  await channel.prefetch(prefetch)
  const { consumerTag } = await channel.consume(names.queue(queue), (message) => {
    if (!message) {
      // The broker took the queue away.
      renew()
      return
    }
    jobs.start(async () => {
      if (stopped) return
      try {
        await work(message)
      } catch (error) {
        // Neither handled nor set aside. A new session has the message delivered again, and its slot free.
        logger.warn({ err: error, queue }, 'message not settled')
        renew()
      }
    })
  })

  return {
    stop: async () => {
      // A queue that hangs must not keep the process; what it delivers still, the next one gets, as it is not settled.
      stopped = true
      try {
        await withinTime(channel.cancel(consumerTag))
      } catch (error) {
        logger.warn({ err: error, queue }, 'could not unsubscribe')
      }
    },
  }
}
