import { connect, type GetMessage } from 'amqplib'
import { ATTEMPT_HEADER, REASON_HEADER } from './consumer.ts'
import { createPublish } from './publisher.ts'
import { assertTopology, namesIn, queueNames, type QueueName } from './topology.ts'

export interface DeadLetter {
  queue: QueueName
  messageId: string
  attempts: number
  reason: string
  content: string
}

/** A look at the messages that were given up, and a way to send them to their queues again. */
export const openDeadLetters = async ({ url, namespace }: { url: string; namespace: string }) => {
  const connection = await connect(url, { timeout: 10_000 })
  const channel = await connection.createConfirmChannel()
  await assertTopology(channel, namespace)
  const publish = createPublish(channel)
  const names = namesIn(namespace)

  /** Takes all messages that lie there now, hands each to `settle`, which acks or leaves it. */
  const takeAll = async (
    queue: QueueName,
    settle: (message: GetMessage) => Promise<void> | void,
  ): Promise<void> => {
    const taken: GetMessage[] = []
    for (;;) {
      const message = await channel.get(names.deadQueue(queue))
      if (!message) break
      taken.push(message)
    }
    for (const message of taken) await settle(message)
  }

  return {
    /** Leaves everything where it is. */
    list: async (): Promise<DeadLetter[]> => {
      const letters: DeadLetter[] = []
      for (const queue of queueNames)
        await takeAll(queue, (message) => {
          letters.push({
            queue,
            messageId: String(message.properties.messageId),
            attempts: Number(message.properties.headers?.[ATTEMPT_HEADER] ?? 0),
            reason: String(message.properties.headers?.[REASON_HEADER] ?? 'its consumer died with it'),
            content: message.content.toString(),
          })
          channel.nack(message, false, true)
        })
      return letters
    },
    /** Sends each to its queue, as if for the first time; returns how many. */
    sendAgain: async (queue: QueueName): Promise<number> => {
      let sent = 0
      await takeAll(queue, async (message) => {
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
        sent += 1
      })
      return sent
    },
    close: () => connection.close(),
  }
}
