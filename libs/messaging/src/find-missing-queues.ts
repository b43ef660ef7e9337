import { connect, type ChannelModel } from 'amqplib'
import { withBrokerTimeout } from './broker-timeout.ts'
import { queueNames, topologyNames, type QueueName } from './topology.ts'

const exists = async (connection: ChannelModel, name: string): Promise<boolean> => {
  // A channel for each query, because a query for a missing queue closes it.
  const channel = await connection.createChannel()
  const isMissing = new Promise<boolean>((resolve) => {
    channel.on('error', (error: { code?: number }) => resolve(error.code === 404))
    // Without an error if the connection is lost.
    channel.on('close', () => resolve(false))
  })
  try {
    await channel.checkQueue(name)
    return true
  } catch (error) {
    if (await isMissing) return false
    throw error
  }
}

/**
 * The queues of the topology that the broker does not have: before the first start, or because they were lost. It uses a
 * connection of its own: RabbitMQ may never answer on a channel whose number an error has just closed.
 */
export const findMissingQueues = async (url: string, namespace: string): Promise<QueueName[]> => {
  const names = topologyNames(namespace)
  const connection = await connect(url, { timeout: 10_000 })
  connection.on('error', () => undefined)
  try {
    const queries = queueNames.map((queue) => exists(connection, names.queue(queue)))
    const isPresent = await withBrokerTimeout(Promise.all(queries))
    return queueNames.filter((_, index) => !isPresent[index])
  } finally {
    // Not awaited: a broker that does not answer does not confirm the close either.
    void connection.close().catch(() => undefined)
  }
}
