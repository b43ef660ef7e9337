import { topologyNames, type QueueName } from '@confetti/messaging'
import { connect, type Channel } from 'amqplib'
import type { TestSystem } from './test-system.ts'

const withChannel = async (
  { backends }: TestSystem,
  work: (channel: Channel) => Promise<unknown>,
): Promise<void> => {
  const connection = await connect(backends.rabbitmq)
  try {
    await work(await connection.createChannel())
  } finally {
    await connection.close()
  }
}

/** Deletes a queue of a system with its messages while its consumers run. */
export const deleteQueue = (system: TestSystem, queue: QueueName): Promise<void> =>
  withChannel(system, (channel) => channel.deleteQueue(topologyNames(system.namespace).queue(queue)))

/** Deletes the messages of a queue that have not been delivered. */
export const purgeQueue = (system: TestSystem, queue: QueueName): Promise<void> =>
  withChannel(system, (channel) => channel.purgeQueue(topologyNames(system.namespace).queue(queue)))
