import { connect, type GetMessage } from 'amqplib'
import { ATTEMPT_HEADER, REASON_HEADER } from './consumer.ts'
import { createPublish } from './publisher.ts'
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
            reason: String(message.properties.headers?.[REASON_HEADER] ?? 'the consumer crashed'),
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
        await publish({
          exchange: '',
          routingKey: names.queue(queue),
          content: message.content,
          properties: {
            contentType: message.properties.contentType as string,
            messageId: String(message.properties.messageId),
          },
          mandatory: true,
        })
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
