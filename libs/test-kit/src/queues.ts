import type { Envelope } from '@confetti/contracts'
import {
  brokerQueueNames,
  defaultRetryDelaysMs,
  furtherRoutingKeys,
  queueNames,
  topologyNames,
  type QueueName,
} from '@confetti/messaging'
import { connect, type ConfirmChannel } from 'amqplib'
import type { TestSystem } from './test-system.ts'

const withChannel = async (
  { backends }: TestSystem,
  work: (channel: ConfirmChannel) => Promise<unknown>,
): Promise<void> => {
  const connection = await connect(backends.rabbitmq)
  try {
    await work(await connection.createConfirmChannel())
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

/** Publishes messages as fast as the broker takes them, and waits until it has confirmed all of them. */
export const publishAll = (system: TestSystem, messages: readonly Envelope[]): Promise<void> =>
  withChannel(system, async (channel) => {
    const { exchange } = topologyNames(system.namespace)
    for (const message of messages)
      channel.publish(
        exchange,
        message.type,
        Buffer.from(JSON.stringify(message)),
        furtherRoutingKeys(message),
      )
    await channel.waitForConfirms()
  })

/**
 * Deletes all queues and exchanges of a system that has stopped. An idle quorum queue keeps costing processor time, and
 * those of a hundred systems would slow the broker down for all others.
 */
export const deleteTopology = async (
  rabbitmqUrl: string,
  namespace: string,
  retryDelaysMs = defaultRetryDelaysMs,
): Promise<void> => {
  const names = topologyNames(namespace)
  const connection = await connect(rabbitmqUrl)
  try {
    const channel = await connection.createChannel()
    for (const queue of brokerQueueNames(namespace, queueNames, retryDelaysMs))
      await channel.deleteQueue(queue)
    for (const exchange of [names.exchange, names.deadExchange, ...retryDelaysMs.map(names.retry)])
      await channel.deleteExchange(exchange)
  } finally {
    await connection.close()
  }
}
