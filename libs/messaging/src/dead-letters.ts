import { connect, type ChannelModel, type ConsumeMessage, type GetMessage } from 'amqplib'
import { ATTEMPT_HEADER, REASON_HEADER, reasonOf } from './consumer.ts'
import { copyOf, createPublish } from './publisher.ts'
import {
  assertTopology,
  defaultRetryDelaysMs,
  topologyNames,
  queueNames,
  type QueueName,
} from './topology.ts'

export interface DeadLetter {
  queue: QueueName
  messageId: string
  attempts: number
  reason: string
  content: string
}

/** What a value of a message may be for everybody to see: an id, a time, or the type of a file. */
const plainValue =
  /^([0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|(image|video)\/[\w.+-]+)$/

/**
 * The content of a message for people to read, without what is personal or secret: of its data, texts other than ids, times
 * and types of files.
 */
export const redactContent = (content: string): string => {
  const redact = (_: string, value: unknown): unknown =>
    typeof value === 'string' && !plainValue.test(value) ? '…' : value
  try {
    const { data, ...envelope } = JSON.parse(content) as { data?: unknown }
    return JSON.stringify({ ...envelope, data: JSON.parse(JSON.stringify(data ?? null, redact)) as unknown })
  } catch {
    return '…'
  }
}

/**
 * Moves the dead letters that versions before 0.2 have left to where they are kept for a limited time, and removes their
 * queue. In a rolling upgrade a replica of such a version may declare it again, until the next connection.
 */
export const moveFormerDeadLetters = async (
  connection: ChannelModel,
  { namespace, queue }: { namespace: string; queue: QueueName },
): Promise<void> => {
  const names = topologyNames(namespace)
  const former = names.formerDeadQueue(queue)
  const channel = await connection.createConfirmChannel()
  // The call that it ends rejects, too.
  channel.on('error', () => undefined)
  const publish = createPublish(channel)
  const move = async (letter: ConsumeMessage): Promise<void> => {
    const to = { exchange: '', routingKey: names.deadQueue(queue) }
    await publish(copyOf(letter, to, { ...letter.properties.headers }))
    channel.ack(letter)
  }
  try {
    let moved = Promise.resolve()
    await channel.prefetch(1)
    // Exclusively: another replica must not remove the queue while this one has a letter in hand.
    await channel.consume(
      former,
      (letter) => {
        if (letter) moved = moved.then(() => move(letter))
        moved.catch(() => undefined)
      },
      { exclusive: true },
    )
    for (;;) {
      const current = moved
      await current
      // Its answer comes after all letters that were delivered before it.
      const { messageCount } = await channel.checkQueue(former)
      if (messageCount === 0 && moved === current) break
    }
    // What arrives now has a copy in the new queue.
    await channel.deleteQueue(former)
  } finally {
    await channel.close().catch(() => undefined)
  }
}

/** Opens the dead-letter queues, to list their messages or to requeue them. */
export const openDeadLetters = async ({ url, namespace }: { url: string; namespace: string }) => {
  const connection = await connect(url, { timeout: 10_000 })
  await assertTopology(connection, namespace)
  const channel = await connection.createConfirmChannel()
  const publish = createPublish(channel)
  const names = topologyNames(namespace)

  /** Gets all messages of a dead-letter queue, then calls `settle` with each, which acks or requeues it. */
  const forEachMessage = async (
    queue: QueueName,
    settle: (message: GetMessage) => Promise<void> | void,
  ): Promise<void> => {
    const messages: GetMessage[] = []
    for (;;) {
      const message = await channel.get(names.deadQueue(queue))
      if (!message) break
      messages.push(message)
    }
    for (const message of messages) await settle(message)
  }

  return {
    /** Lists the dead letters of all queues and leaves them in place. */
    list: async (): Promise<DeadLetter[]> => {
      const letters: DeadLetter[] = []
      for (const queue of queueNames)
        await forEachMessage(queue, (message) => {
          letters.push({
            queue,
            messageId: String(message.properties.messageId),
            attempts: Number(message.properties.headers?.[ATTEMPT_HEADER] ?? 0),
            // Versions before 0.2 wrote it with addresses.
            reason: reasonOf(message.properties.headers?.[REASON_HEADER] ?? 'the consumer crashed'),
            content: message.content.toString(),
          })
          channel.nack(message, false, true)
        })
      return letters
    },
    /** Moves the dead letters of a queue back to it, as first attempts; returns how many. */
    requeue: async (queue: QueueName): Promise<number> => {
      let requeued = 0
      await forEachMessage(queue, async (message) => {
        await publish(copyOf(message, { exchange: '', routingKey: names.queue(queue) }, {}))
        channel.ack(message)
        requeued += 1
      })
      return requeued
    },
    /** The queues, those of retries included, in which messages wait; those that are being handled are not counted. */
    listBusyQueues: async (): Promise<string[]> => {
      const busy: string[] = []
      for (const name of [...queueNames.map(names.queue), ...defaultRetryDelaysMs.map(names.retry)])
        if ((await channel.checkQueue(name)).messageCount > 0) busy.push(name)
      return busy
    },
    close: () => connection.close(),
  }
}
