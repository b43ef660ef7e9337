import type { Envelope, MessageType } from '@confetti/contracts'
import { assertTopology, furtherRoutingKeys, queuesOf, topologyNames } from '@confetti/messaging'
import { connect } from 'amqplib'
import { eventually } from './eventually.ts'
import type { TestSystem } from './test-system.ts'

export interface RecordedMessages {
  all: Envelope[]
  /** Returns the messages of one type. */
  ofType: <T extends MessageType>(type: T) => Envelope<T>[]
  /** Returns the messages of one type, each once. The broker may have got one several times. */
  distinct: <T extends MessageType>(type: T) => Envelope<T>[]
  /** Publishes a message to the services and resolves when the broker has confirmed it. */
  publish: (message: Envelope, headers?: Record<string, number>) => Promise<void>
  close: () => Promise<void>
}

/** Records all messages that the services of a system publish from now on. */
export const recordMessages = async ({
  backends,
  namespace,
}: {
  backends: Pick<TestSystem['backends'], 'rabbitmq'>
  namespace: string
}): Promise<RecordedMessages> => {
  const connection = await connect(backends.rabbitmq)
  const channel = await connection.createConfirmChannel()
  await assertTopology(connection, namespace, [])
  const { queue } = await channel.assertQueue('', { exclusive: true })
  const { exchange } = topologyNames(namespace)
  await channel.bindQueue(queue, exchange, '#')
  const all: Envelope[] = []
  const ofType = <T extends MessageType>(type: T) =>
    all.filter((message) => message.type === type) as Envelope<T>[]
  await channel.consume(
    queue,
    (message) => message && all.push(JSON.parse(message.content.toString()) as Envelope),
    { noAck: true },
  )
  // A service listens before it is connected to the broker. Messages published before its queue exists would be lost.
  const declared = new Map<MessageType, Promise<void>>()
  const declareFor = (type: MessageType): Promise<void> => {
    const declaring = declared.get(type) ?? assertTopology(connection, namespace, queuesOf('', [type]))
    declared.set(type, declaring)
    return declaring
  }
  return {
    all,
    ofType,
    distinct: (type) => [...new Map(ofType(type).map((message) => [message.id, message])).values()],
    publish: async (message, headers = {}) => {
      await declareFor(message.type)
      const options = { messageId: message.id, headers, ...furtherRoutingKeys(message) }
      // The broker refuses a message, as it tells the outbox, too, while it starts a queue that a service has just declared.
      await eventually(() => {
        channel.publish(exchange, message.type, Buffer.from(JSON.stringify(message)), options)
        return channel.waitForConfirms().then(
          () => true,
          () => false,
        )
      }, 'the broker taking a message')
    },
    close: () => connection.close(),
  }
}
