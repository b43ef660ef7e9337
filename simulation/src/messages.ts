import { assertTopology, messagingConfig, type BrokerOptions } from '@confetti/messaging'
import { createMemoryBroker } from '@confetti/test-kit/memory-broker'
import type { Process, Scheduler } from './scheduler.ts'

type Connect = NonNullable<BrokerOptions['connect']>
type Connection = Awaited<ReturnType<Connect>>

// Measuring changes nothing.
const LONG_MS = 7 * 24 * 3_600_000

/** What these messages would have changed becomes true by itself. */
const REPLACEABLE = /\.(event|user)-(changed|deleted|erased)$/

const namespace = messagingConfig.shape.RABBITMQ_NAMESPACE.parse(undefined)

/** The broker, and who is connected to it. */
export const createMessages = ({ runAs, turn, currentProcess }: Scheduler) => {
  // What is on its way arrives whether or not its sender still lives.
  const network: Process = { name: 'network', isAlive: true }
  const broker = createMemoryBroker({
    schedule: (work, label) => void runAs(network, () => turn(label).then(work)),
    setTimer: (work, delayMs) => void runAs(network, () => setTimeout(work, delayMs)),
  })
  const connections = new Map<Process, Connection[]>()
  const published = new Set<string>()
  /** Notes which messages have been put in a queue. */
  const notePublished = (connection: Connection): void => {
    const open = connection.createConfirmChannel.bind(connection)
    connection.createConfirmChannel = async () => {
      const channel = await open()
      const returned = new Set<unknown>()
      channel.on('return', ({ properties }: { properties: { messageId: unknown } }) =>
        returned.add(properties.messageId),
      )
      const publish = channel.publish.bind(channel)
      channel.publish = (exchange, routingKey, content, options, settle) =>
        publish(exchange, routingKey, content, options, (error, ok) => {
          if (!error && !returned.delete(options?.messageId)) published.add(String(options?.messageId))
          settle?.(error, ok)
        })
      return channel
    }
  }
  const connect: Connect = async (url, options) => {
    const process = currentProcess()
    const connection = await broker.connect(url, options)
    // A process that dies listens no more.
    connection.on('error', () => undefined)
    if (process && !process.isAlive) {
      // It has died meanwhile.
      broker.cut(connection)
      return new Promise(() => undefined)
    }
    notePublished(connection)
    if (process) connections.set(process, [...(connections.get(process) ?? []), connection])
    return connection
  }
  /** The queues of these services with messages, and those of retries. */
  const listBusy = (services: readonly string[]) =>
    broker
      .listQueues()
      .filter(({ name, ready, unsettled }) => {
        const [, service = ''] = name.split('.')
        return (
          [...services, 'retry'].includes(service) && !name.endsWith('.dead-letters') && ready + unsettled > 0
        )
      })
      .map(({ name, ready, unsettled }) => `${name} ${ready}+${unsettled}`)
  return {
    /** Declares all queues, so that services find them. */
    prepare: async (): Promise<void> => {
      const connection = await broker.connect()
      await assertTopology(connection, namespace)
      await connection.close()
    },
    options: { connect, monitorIntervalMs: LONG_MS },
    stop: broker.stop,
    start: broker.start,
    isPublished: (messageId: string): boolean => published.has(messageId),
    isIdle: (services: readonly string[]): boolean => listBusy(services).length === 0,
    describe: (services: readonly string[]): string => listBusy(services).join(', '),
    /** The queues of messages that a service has given up. */
    listDead: (): string[] =>
      broker
        .listQueues()
        .filter(({ name, ready }) => name.endsWith('.dead-letters') && ready > 0)
        .map(({ name }) => name),
    /** Deletes a queue with its messages, if it can, one that has some, of those whose messages are made up for. */
    loseQueue: (index: number): void => {
      const all = broker.listQueues().filter(({ name }) => REPLACEABLE.test(name))
      const busy = all.filter(({ ready, unsettled }) => ready + unsettled > 0)
      const lost = busy.length > 0 ? busy : all
      broker.loseQueue(lost[index % lost.length]?.name ?? '')
    },
    /** Cuts the connections of a process. */
    cut: (process: Process): void => {
      for (const connection of connections.get(process) ?? []) broker.cut(connection)
      connections.delete(process)
    },
  }
}
