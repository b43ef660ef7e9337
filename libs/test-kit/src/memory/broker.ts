import { EventEmitter } from 'node:events'
import { IllegalOperationError, type ChannelModel, type ConfirmChannel, type SocketOptions } from 'amqplib'
import { createChannel, type Ends, type Schedule } from './broker-channel.ts'
import { createServer } from './broker-queues.ts'

// A RabbitMQ in memory, as far as libs/messaging uses it through amqplib. `libs/test-kit/test/broker-contract.ts` shows
// that it answers as a real one does.

export type { Schedule }

type MemoryModel = Pick<ChannelModel, 'createChannel' | 'createConfirmChannel' | 'close'>

/**
 * A broker for one process. Each step that a network separates (the arrival of a method, its answer, a delivery, a
 * confirm) is a work of `schedule`; messages expire by `setTimer`.
 */
export const createMemoryBroker = ({
  schedule: scheduleAny = (work) => void setImmediate(work),
  setTimer = (work, delayMs) => void setTimeout(work, delayMs).unref(),
}: {
  schedule?: Schedule
  setTimer?: (work: () => void, delayMs: number) => void
} = {}) => {
  const server = createServer(setTimer)
  const connections = new Map<object, Record<'endAtBroker' | 'loseAtBroker' | 'loseAtClient', () => void>>()
  let isRunning = true

  const openConnection = (name: string): ChannelModel => {
    const schedule: Schedule = (work, label) => scheduleAny(work, `${name}: ${label}`)
    const emitter = new EventEmitter()
    const channels = new Set<Ends>()
    let isServed = true
    let state: 'open' | 'closing' | 'closed' = 'open'
    const assertOpen = (): void => {
      if (state !== 'open') throw new IllegalOperationError(`Connection ${state}`)
    }
    const endAtBroker = (): void => {
      isServed = false
      connections.delete(emitter)
      for (const channel of channels) channel.endAtBroker()
      for (const queue of server.queues.values()) if (queue.owner === emitter) server.remove(queue)
    }
    const endAtClient = (error?: Error): void => {
      if (state === 'closed') return
      if (error) emitter.emit('error', error)
      state = 'closed'
      for (const channel of channels) channel.endAtClient()
      emitter.emit('close', error)
    }
    const openChannel = async (isConfirming: boolean): Promise<ConfirmChannel> => {
      assertOpen()
      const connection = {
        user: emitter,
        assertOpen,
        isOpen: () => state === 'open',
        isServed: () => isServed,
      }
      const onEnd = () => channels.delete(ends)
      const { channel, open, ...ends } = createChannel({ schedule, server, connection, isConfirming, onEnd })
      channels.add(ends)
      await open()
      return channel
    }
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        assertOpen()
        state = 'closing'
        const answer = (): void => {
          // Without an answer from the broker, amqplib never settles it.
          if (!isServed) return
          endAtBroker()
          schedule(() => {
            if (state !== 'closed') resolve()
            endAtClient()
          }, 'connection.close-ok')
        }
        schedule(answer, 'connection.close')
      })
    const model: MemoryModel = {
      createChannel: () => openChannel(false),
      createConfirmChannel: () => openChannel(true),
      close,
    }
    const loseAtBroker = (): void => schedule(endAtBroker, 'broker loses connection')
    const loseAtClient = (): void =>
      schedule(() => endAtClient(new Error('Unexpected close')), 'client loses connection')
    connections.set(emitter, { endAtBroker, loseAtBroker, loseAtClient })
    return Object.assign(emitter, model) as unknown as ChannelModel
  }

  return {
    /** As that of amqplib. */
    connect: (_url?: string, { clientProperties }: SocketOptions = {}): Promise<ChannelModel> =>
      new Promise((resolve, reject) => {
        const name = (clientProperties?.connection_name ?? 'connection') as string
        const answer = (): void => {
          if (isRunning) resolve(openConnection(name))
          else reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
        }
        scheduleAny(answer, `${name}: connect`)
      }),
    /** Cuts a connection. What was on its way arrives or not, as both ends notice it at any time. */
    cut: (model: ChannelModel): void => {
      connections.get(model)?.loseAtBroker()
      connections.get(model)?.loseAtClient()
    },
    /** Stops the broker as a crash does. It keeps durable queues and their persistent messages. */
    stop: (): void => {
      isRunning = false
      // First, so that no message returns to another connection that ends, too.
      for (const queue of server.queues.values()) queue.consumers = []
      for (const { endAtBroker, loseAtClient } of connections.values()) {
        endAtBroker()
        loseAtClient()
      }
      server.dropTransient()
    },
    start: (): void => {
      isRunning = true
    },
    /** How many messages wait in each queue, and how many have been delivered and not settled. */
    listQueues: (): { name: string; ready: number; unsettled: number }[] =>
      [...server.queues.values()].map(({ name, ready, consumers }) => ({
        name,
        ready: ready.length,
        unsettled: consumers.reduce((sum, consumer) => sum + consumer.unsettled, 0),
      })),
    /** Deletes a queue with its messages; publications that it has not confirmed are refused. */
    loseQueue: (name: string): void => {
      const queue = server.queues.get(name)
      if (!queue) return
      queue.isLost = true
      server.remove(queue)
    },
  }
}
