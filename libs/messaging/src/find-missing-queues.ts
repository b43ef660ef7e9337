import { connect, type ChannelModel } from 'amqplib'
import { withBrokerTimeout } from './broker-timeout.ts'

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
 * Those of `names` that the broker does not have: before the first start, or because they were lost. It uses a connection
 * of its own: RabbitMQ may never answer on a channel whose number an error has just closed.
 */
export const findMissingQueues = async (url: string, names: readonly string[]): Promise<Set<string>> => {
  const connection = await connect(url, { timeout: 10_000 })
  connection.on('error', () => undefined)
  try {
    const isPresent = await withBrokerTimeout(Promise.all(names.map((name) => exists(connection, name))))
    return new Set(names.filter((_, index) => !isPresent[index]))
  } finally {
    // Not awaited: a broker that does not answer does not confirm the close either.
    void connection.close().catch(() => undefined)
  }
}
