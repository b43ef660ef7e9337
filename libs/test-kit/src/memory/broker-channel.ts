import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { IllegalOperationError, type ConfirmChannel, type Message, type MessageProperties } from 'amqplib'
import { channelError, declare, type Consumer, type Entry, type Queue, type Server } from './broker-queues.ts'

/** Runs `work` later, in an order of its own choosing. */
export type Schedule = (work: () => void, label: string) => void

type MemoryChannel = Pick<
  ConfirmChannel,
  | 'assertExchange'
  | 'assertQueue'
  | 'checkQueue'
  | 'deleteQueue'
  | 'bindQueue'
  | 'unbindQueue'
  | 'publish'
  | 'prefetch'
  | 'consume'
  | 'cancel'
  | 'get'
  | 'ack'
  | 'nack'
  | 'reject'
  | 'close'
>

/** Broker and client learn separately that a connection or a channel has ended. */
export interface Ends {
  endAtBroker: () => void
  endAtClient: (error?: Error) => void
}

/** Runs works one after the other, each when `schedule` chooses: AMQP keeps each direction of a channel in order. */
const createLane = (schedule: Schedule): Schedule => {
  const waiting: { work: () => void; label: string }[] = []
  const scheduleFirst = (): void => {
    const [first] = waiting
    if (!first) return
    schedule(() => {
      try {
        first.work()
      } finally {
        waiting.shift()
        scheduleFirst()
      }
    }, first.label)
  }
  return (work, label) => {
    if (waiting.push({ work, label }) === 1) scheduleFirst()
  }
}

const countsOf = ({ name, ready, consumers }: Queue) => ({
  queue: name,
  messageCount: ready.length,
  consumerCount: consumers.length,
})

/** Both ends of a channel, with amqplib's methods. */
export const createChannel = ({
  schedule,
  server,
  connection,
  isConfirming,
  onEnd,
}: {
  schedule: Schedule
  server: Server
  connection: {
    /** The owner of exclusive queues. */
    user: object
    assertOpen: () => void
    isOpen: () => boolean
    /** Whether the broker still serves it. */
    isServed: () => boolean
  }
  isConfirming: boolean
  onEnd: () => void
}) => {
  const { user } = connection
  const emitter = new EventEmitter()
  const toBroker = createLane(schedule)
  const toClient = createLane(schedule)

  // What the broker knows of it.
  let isServed = true
  let prefetch = 0
  let deliveries = 0
  let consumerTags = 0
  const unsettled = new Map<number, { queue: Queue; entry: Entry; consumer: Consumer | undefined }>()
  const consumers = new Map<string, Consumer>()
  // What the client knows of it.
  let state: 'open' | 'closing' | 'closed' = 'open'
  const calls: { send: () => void; reject: (error: Error) => void }[] = []
  const unconfirmed = new Set<(error: Error | null) => void>()

  const endAtBroker = (): void => {
    if (!isServed) return
    isServed = false
    for (const consumer of consumers.values()) server.removeConsumer(consumer)
    for (const { queue, entry } of unsettled.values()) server.putBack(queue, entry)
  }
  const endAtClient = (): void => {
    if (state === 'closed') return
    state = 'closed'
    for (const { reject } of calls.splice(0)) reject(new Error('Channel ended, no reply will be forthcoming'))
    for (const confirm of unconfirmed) confirm(new Error('channel closed'))
    unconfirmed.clear()
    // Otherwise the broker still has its messages.
    if (!isServed) onEnd()
    emitter.emit('close')
  }
  const assertOpen = (): void => {
    connection.assertOpen()
    if (state !== 'open') throw new IllegalOperationError(`Channel ${state}`)
  }
  const tellClient = (label: string, work: () => void): void =>
    toClient(() => {
      if (state === 'open' && connection.isOpen()) work()
    }, label)
  const closeBecause = (error: Error): void => {
    endAtBroker()
    tellClient('channel.close', () => {
      calls.shift()?.reject(error)
      emitter.emit('error', error)
      endAtClient()
    })
  }
  const tellBroker = (label: string, work: () => void): void => {
    assertOpen()
    toBroker(() => {
      // A client that has not noticed yet may open channels on a connection that has ended.
      if (!isServed || !connection.isServed()) return
      try {
        work()
      } catch (error) {
        closeBecause(error as Error)
      }
    }, label)
  }
  /** A method with an answer. A channel has one at a time on its way; what has no answer overtakes those that wait. */
  const call = <T>(label: string, work: () => T, afterAnswer?: () => void): Promise<T> =>
    new Promise((resolve, reject) => {
      const send = (): void =>
        tellBroker(label, () => {
          const answer = work()
          tellClient(`answer of ${label}`, () => {
            calls.shift()
            calls[0]?.send()
            resolve(answer)
          })
          afterAnswer?.()
        })
      if (calls.length === 0) send()
      calls.push({ send, reject })
    })

  const deliver = (queue: Queue, entry: Entry, consumer?: Consumer) => {
    deliveries += 1
    unsettled.set(deliveries, { queue, entry, consumer })
    if (consumer) consumer.unsettled += 1
    const { content, properties, exchange, routingKey } = entry.message
    const redelivered = entry.returns > 0
    return { content, properties, fields: { deliveryTag: deliveries, redelivered, exchange, routingKey } }
  }
  const settle = (label: string, { fields }: Message, apply: (queue: Queue, entry: Entry) => void): void =>
    tellBroker(label, () => {
      const delivery = unsettled.get(fields.deliveryTag)
      if (!delivery)
        throw channelError(406, `PRECONDITION_FAILED - unknown delivery tag ${fields.deliveryTag}`)
      unsettled.delete(fields.deliveryTag)
      if (delivery.consumer) delivery.consumer.unsettled -= 1
      apply(delivery.queue, delivery.entry)
      server.deliver(delivery.queue)
    })
  const reject = (label: string, message: Message, requeue = true): void =>
    settle(label, message, requeue ? server.putBack : server.deadLetter)

  const channel: MemoryChannel = {
    assertExchange: (exchange, type) =>
      call(`exchange.declare ${exchange}`, () => {
        if (!server.exchanges.has(exchange)) server.exchanges.set(exchange, { type, bindings: [] })
        if (server.findExchange(exchange).type !== type)
          throw channelError(406, `PRECONDITION_FAILED - inequivalent arg 'type' for exchange '${exchange}'`)
        return { exchange }
      }),
    assertQueue: (name = '', options = {}) =>
      call(`queue.declare ${name}`, () => countsOf(declare(server, user, name, options))),
    checkQueue: (name) => call(`queue.declare ${name}`, () => countsOf(server.find(name, user))),
    deleteQueue: (name) =>
      call(`queue.delete ${name}`, () => {
        if (!server.queues.has(name)) return { messageCount: 0 }
        const queue = server.find(name, user)
        const messageCount = queue.ready.length
        server.remove(queue)
        return { messageCount }
      }),
    bindQueue: (name, source, key) =>
      call(`queue.bind ${name}`, () => {
        const queue = server.find(name, user)
        const { bindings } = server.findExchange(source)
        if (!bindings.some((binding) => binding.queue === queue && binding.key === key))
          bindings.push({ queue, key })
        return {}
      }),
    unbindQueue: (name, source, key) =>
      call(`queue.unbind ${name}`, () => {
        const queue = server.find(name, user)
        const exchange = server.findExchange(source)
        exchange.bindings = exchange.bindings.filter(
          (binding) => binding.queue !== queue || binding.key !== key,
        )
        return {}
      }),
    prefetch: (count) =>
      call('basic.qos', () => {
        prefetch = count
        return {}
      }),
    consume: (name, handle) => {
      // As with a socket, whose messages arrive in the context in which it was opened.
      const onMessage = AsyncLocalStorage.bind(handle)
      let consumer: Consumer
      const start = () => {
        consumerTags += 1
        const consumerTag = `consumer-${consumerTags}`
        const queue = server.find(name, user)
        consumer = {
          queue,
          prefetch,
          unsettled: 0,
          deliver: (entry) => {
            const { fields, ...message } = deliver(queue, entry, consumer)
            tellClient(`basic.deliver ${name}`, () =>
              onMessage({ ...message, fields: { ...fields, consumerTag } }),
            )
          },
          onCancel: () => tellClient(`basic.cancel ${name}`, () => onMessage(null)),
        }
        consumers.set(consumerTag, consumer)
        queue.consumers.push(consumer)
        return { consumerTag }
      }
      // Its first messages follow the answer.
      return call(`basic.consume ${name}`, start, () => server.deliver(consumer.queue))
    },
    cancel: (consumerTag) =>
      call('basic.cancel', () => {
        const consumer = consumers.get(consumerTag)
        if (consumer) server.removeConsumer(consumer)
        consumers.delete(consumerTag)
        return { consumerTag }
      }),
    get: (name) =>
      call(`basic.get ${name}`, () => {
        const queue = server.find(name, user)
        const entry = queue.ready.shift()
        if (!entry) return false
        const { fields, ...message } = deliver(queue, entry)
        return { ...message, fields: { ...fields, messageCount: queue.ready.length } }
      }),
    publish: (
      exchange,
      routingKey,
      content,
      { mandatory, persistent, BCC = [], ...options } = {},
      onConfirm,
    ) => {
      const properties = {
        ...options,
        headers: { ...(options.headers as Record<string, unknown>) },
        deliveryMode: persistent ? 2 : 1,
      } as MessageProperties
      const confirm = (error: Error | null): void => onConfirm?.(error, {})
      tellBroker(`basic.publish ${routingKey}`, () => {
        const keys = [routingKey, ...[BCC].flat()]
        const targets = [...new Set(keys.flatMap((key) => server.route(exchange, key)))]
        const message = { exchange, routingKey, content, properties }
        if (targets.length === 0 && mandatory)
          tellClient(`basic.return ${routingKey}`, () =>
            emitter.emit('return', { content, properties, fields: { replyCode: 312, exchange, routingKey } }),
          )
        const accepting = targets.filter((queue) => !server.refuses(queue))
        for (const queue of accepting) server.add(queue, message)
        // Queues confirm after any time: in any order, and after other answers.
        const answer = (): void => {
          const isRefused = accepting.length < targets.length || accepting.some(({ isLost }) => isLost)
          if (isServed)
            tellClient(`${isRefused ? 'basic.nack' : 'basic.ack'} ${routingKey}`, () => {
              if (unconfirmed.delete(confirm)) confirm(isRefused ? new Error('message nacked') : null)
            })
        }
        if (isConfirming) schedule(answer, `commit ${routingKey}`)
      })
      if (isConfirming) unconfirmed.add(confirm)
      return true
    },
    ack: (message) => settle('basic.ack', message, () => undefined),
    nack: (message, _allUpTo, requeue) => reject('basic.nack', message, requeue),
    reject: (message, requeue) => reject('basic.reject', message, requeue),
    close: () =>
      new Promise((resolve) => {
        assertOpen()
        state = 'closing'
        const end = (): void => {
          // A connection that closes meanwhile ends it, too.
          if (state === 'closed') return
          resolve()
          endAtClient()
        }
        // Also of a channel that the broker has just closed itself.
        const answer = (): void => {
          endAtBroker()
          if (connection.isServed()) toClient(end, 'channel.close-ok')
        }
        toBroker(answer, 'channel.close')
      }),
  }
  return {
    channel: Object.assign(emitter, channel) as unknown as ConfirmChannel,
    open: () => call('channel.open', () => undefined),
    endAtBroker,
    endAtClient,
  }
}
