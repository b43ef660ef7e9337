import { envelope, messages, type Envelope, type MessageType } from '@confetti/contracts'
import { withRequestId, type Logger } from '@confetti/service-kit'
import type { Channel, ConsumeMessage } from 'amqplib'
import type { Publish } from './publisher.ts'
import { namesIn, queues, retryDelaysMs, type QueueName } from './topology.ts'

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

const read = (content: Buffer, expected: MessageType): Envelope => {
  try {
    const fact = envelope.parse(JSON.parse(content.toString()))
    if (fact.type !== expected) throw new Error(`expected ${expected}, got ${fact.type}`)
    return { ...fact, data: messages[expected].parse(fact.data) }
  } catch (error) {
    throw new UnreadableMessage('The message does not satisfy its contract', { cause: error })
  }
}

const reasonOf = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).slice(0, 500)

export interface RunningConsumer {
  /** Takes no further messages; resolves when those in work are settled. */
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
  logger,
  renew,
}: {
  channel: Channel
  publish: Publish
  namespace: string
  consumer: Consumer
  logger: Logger
  /** Ends the session, so that a new one begins. */
  renew: () => void
}): Promise<RunningConsumer> => {
  const names = namesIn(namespace)
  const inWork = new Set<Promise<void>>()

  const setAside = async (message: ConsumeMessage, error: unknown): Promise<void> => {
    const attempt = Number(message.properties.headers?.[ATTEMPT_HEADER] ?? 0)
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
  }

  const work = async (message: ConsumeMessage): Promise<void> => {
    try {
      const fact = read(message.content, queues[queue])
      await withRequestId(fact.requestid ?? fact.id, () => handle(fact))
    } catch (error) {
      await setAside(message, error)
    }
    channel.ack(message)
  }

  await channel.prefetch(prefetch)
  const { consumerTag } = await channel.consume(names.queue(queue), (message) => {
    if (!message) {
      // The broker took the queue away.
      renew()
      return
    }
    const job = work(message)
      // Neither handled nor set aside. A new session has the message delivered again, and its slot free.
      .catch((error: unknown) => {
        logger.warn({ err: error, queue }, 'message not settled')
        renew()
      })
      .finally(() => inWork.delete(job))
    inWork.add(job)
  })

  return {
    stop: async () => {
      await channel.cancel(consumerTag)
      await Promise.all(inWork)
    },
  }
}
