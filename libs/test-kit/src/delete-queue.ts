import { namesIn, type QueueName } from '@confetti/messaging'
import { connect } from 'amqplib'
import type { TestSystem } from './test-system.ts'

/** Takes a queue of a system away, with all that waits in it, under its running consumers. */
export const deleteQueue = async ({ backends, namespace }: TestSystem, queue: QueueName): Promise<void> => {
  const connection = await connect(backends.rabbitmq)
  const channel = await connection.createChannel()
  await channel.deleteQueue(namesIn(namespace).queue(queue))
  await connection.close()
}
