import { isDeepStrictEqual } from 'node:util'
import type { Message, Options } from 'amqplib'

export interface Entry {
  message: Pick<Message, 'content' | 'properties'> & { exchange: string; routingKey: string }
  /** Entries that come back to their queue stand where they stood. */
  position: number
  /** How often it was delivered and came back. */
  returns: number
  isExpired: boolean
}

export interface Queue {
  name: string
  /** The connection that may use it, if only one may. */
  owner: object | undefined
  durable: boolean
  autoDelete: boolean
  arguments: Readonly<Record<string, unknown>>
  ready: Entry[]
  consumers: Consumer[]
  isLost: boolean
}

export interface Consumer {
  queue: Queue
  prefetch: number
  unsettled: number
  deliver: (entry: Entry) => void
  /** The queue was deleted. */
  onCancel: () => void
}

interface Exchange {
  type: string
  bindings: { queue: Queue; key: string }[]
}

/** The time after which RabbitMQ dead-letters a message again that reached no queue, with the strategy at-least-once. */
const DEAD_LETTER_RETRY_MS = 180_000

/** A reason to close the channel. */
export const channelError = (code: number, text: string) =>
  Object.assign(new Error(`Channel closed by server: ${code} with message "${text}"`), { code })

const matchesTopic = (pattern: readonly string[], words: readonly string[]): boolean => {
  const [first, ...rest] = pattern
  if (first === undefined) return words.length === 0
  if (first === '#')
    return matchesTopic(rest, words) || (words.length > 0 && matchesTopic(pattern, words.slice(1)))
  return words.length > 0 && (first === '*' || first === words[0]) && matchesTopic(rest, words.slice(1))
}

/** The exchanges and queues of a broker. */
export const createServer = (setTimer: (work: () => void, delayMs: number) => void) => {
  const exchanges = new Map<string, Exchange>()
  const queues = new Map<string, Queue>()
  let positions = 0

  const exists = (queue: Queue): boolean => queues.get(queue.name) === queue
  const find = (name: string, user: object): Queue => {
    const queue = queues.get(name)
    if (!queue) throw channelError(404, `NOT_FOUND - no queue '${name}'`)
    if (queue.owner && queue.owner !== user)
      throw channelError(405, `RESOURCE_LOCKED - exclusive queue '${name}'`)
    return queue
  }
  const findExchange = (name: string): Exchange => {
    const exchange = exchanges.get(name)
    if (!exchange) throw channelError(404, `NOT_FOUND - no exchange '${name}'`)
    return exchange
  }
  const route = (exchangeName: string, routingKey: string): Queue[] => {
    if (exchangeName === '') return [queues.get(routingKey)].filter((queue) => queue !== undefined)
    const { type, bindings } = findExchange(exchangeName)
    const matches = (key: string): boolean => {
      if (type === 'topic') return matchesTopic(key.split('.'), routingKey.split('.'))
      return type === 'fanout' || key === routingKey
    }
    return [...new Set(bindings.filter(({ key }) => matches(key)).map(({ queue }) => queue))]
  }

  /** Gives messages to consumers, in turn, as long as one has room. */
  const deliver = (queue: Queue): void => {
    while (queue.ready.length > 0) {
      const consumer = queue.consumers.find(
        ({ prefetch, unsettled }) => prefetch === 0 || unsettled < prefetch,
      )
      const entry = consumer && queue.ready.shift()
      if (!entry) return
      queue.consumers.push(...queue.consumers.splice(queue.consumers.indexOf(consumer), 1))
      consumer.deliver(entry)
    }
  }
  const maxLengthOf = (queue: Queue): number => Number(queue.arguments['x-max-length'] ?? Infinity)
  /** Whether it has no room and refuses publications, instead of dropping what it has. */
  const refuses = (queue: Queue): boolean =>
    queue.arguments['x-overflow'] === 'reject-publish' && queue.ready.length >= maxLengthOf(queue)

  const deadLetter = (queue: Queue, entry: Entry): void => {
    const exchange = queue.arguments['x-dead-letter-exchange']
    if (typeof exchange !== 'string' || !exists(queue)) return
    const routingKey = (queue.arguments['x-dead-letter-routing-key'] ?? entry.message.routingKey) as string
    const targets = exchange === '' || exchanges.has(exchange) ? route(exchange, routingKey) : []
    for (const target of targets) add(target, { ...entry.message, exchange, routingKey })
    if (targets.length === 0 && queue.arguments['x-dead-letter-strategy'] === 'at-least-once')
      setTimer(() => deadLetter(queue, entry), DEAD_LETTER_RETRY_MS)
  }
  // Only from the head, as RabbitMQ does.
  const deadLetterExpired = (queue: Queue): void => {
    for (let [first] = queue.ready; first?.isExpired; [first] = queue.ready) {
      queue.ready.shift()
      deadLetter(queue, first)
    }
  }
  const add = (queue: Queue, message: Entry['message']): void => {
    positions += 1
    const entry = { message, position: positions, returns: 0, isExpired: false }
    queue.ready.push(entry)
    deliver(queue)
    const dropsOldest = queue.arguments['x-overflow'] !== 'reject-publish'
    const dropped = dropsOldest && queue.ready.length > maxLengthOf(queue) && queue.ready.shift()
    if (dropped) deadLetter(queue, dropped)
    const ttlMs = queue.arguments['x-message-ttl']
    const expire = (): void => {
      entry.isExpired = true
      deadLetterExpired(queue)
    }
    if (ttlMs !== undefined) setTimer(expire, Number(ttlMs))
  }
  /** Takes back a message that was delivered and not handled. */
  const putBack = (queue: Queue, entry: Entry): void => {
    if (!exists(queue)) return
    entry.returns += 1
    const limit = queue.arguments['x-delivery-limit']
    if (limit !== undefined && entry.returns > Number(limit)) deadLetter(queue, entry)
    else queue.ready.push(entry)
    queue.ready.sort((a, b) => a.position - b.position)
    deadLetterExpired(queue)
    deliver(queue)
  }
  const remove = (queue: Queue): void => {
    if (!exists(queue)) return
    queues.delete(queue.name)
    for (const exchange of exchanges.values())
      exchange.bindings = exchange.bindings.filter((binding) => binding.queue !== queue)
    queue.ready = []
    for (const { onCancel } of queue.consumers.splice(0)) onCancel()
  }
  const dropTransient = (): void => {
    for (const queue of queues.values()) {
      const isQuorum = queue.arguments['x-queue-type'] === 'quorum'
      queue.ready = queue.ready.filter(({ message }) => isQuorum || message.properties.deliveryMode === 2)
      if (!queue.durable) remove(queue)
    }
  }
  const removeConsumer = (consumer: Consumer): void => {
    const { queue } = consumer
    queue.consumers = queue.consumers.filter((other) => other !== consumer)
    if (queue.autoDelete && queue.consumers.length === 0) remove(queue)
  }
  return {
    exchanges,
    queues,
    find,
    findExchange,
    route,
    refuses,
    add,
    deliver,
    deadLetter,
    putBack,
    remove,
    removeConsumer,
    dropTransient,
  }
}
export type Server = ReturnType<typeof createServer>

export const declare = (server: Server, user: object, name: string, options: Options.AssertQueue): Queue => {
  const { exclusive = false, durable = true, autoDelete = false } = options
  const declared = {
    owner: exclusive ? user : undefined,
    durable,
    autoDelete,
    arguments: { ...(options.arguments as Queue['arguments']) },
  }
  if (!server.queues.has(name))
    server.queues.set(name, { name, ready: [], consumers: [], isLost: false, ...declared })
  const queue = server.find(name, user)
  const { owner, arguments: args } = queue
  if (
    !isDeepStrictEqual(
      { owner, durable: queue.durable, autoDelete: queue.autoDelete, arguments: args },
      declared,
    )
  )
    throw channelError(406, `PRECONDITION_FAILED - inequivalent arg for queue '${name}'`)
  return queue
}
