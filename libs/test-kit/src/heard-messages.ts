import type { Envelope, MessageType } from '@confetti/contracts'
import { assertTopology, namesIn } from '@confetti/messaging'
import { connect } from 'amqplib'
import type { TestSystem } from './test-system.ts'

export interface HeardMessages {
  all: Envelope[]
  /** Those of one type. */
  of: <T extends MessageType>(type: T) => Envelope<T>[]
  /** Says a fact to the services, as another service would. */
  say: (message: Envelope) => Promise<void>
  close: () => Promise<void>
}

/** Listens to everything that the services of a system tell each other from now on. */
export const hearMessages = async ({ backends, namespace }: TestSystem): Promise<HeardMessages> => {
  const connection = await connect(backends.rabbitmq)
  const channel = await connection.createConfirmChannel()
  // A service listens before it has reached the broker; what is said before its queue exists would be lost.
  await assertTopology(channel, namespace)
  const { queue } = await channel.assertQueue('', { exclusive: true })
  const { exchange } = namesIn(namespace)
  await channel.bindQueue(queue, exchange, '#')
  const all: Envelope[] = []
  await channel.consume(
    queue,
    (message) => message && all.push(JSON.parse(message.content.toString()) as Envelope),
    {
      noAck: true,
    },
  )
  return {
    all,
    of: <T extends MessageType>(type: T) => all.filter((message) => message.type === type) as Envelope<T>[],
    say: async (message) => {
      channel.publish(exchange, message.type, Buffer.from(JSON.stringify(message)), { messageId: message.id })
      await channel.waitForConfirms()
    },
    close: () => connection.close(),
  }
}
