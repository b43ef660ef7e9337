import {
  connectBroker,
  createMessagingMetrics,
  defineConsumer,
  newMessage,
  topologyNames,
  type Broker,
} from '@confetti/messaging'
import { createLogger, unavailable } from '@confetti/service-kit'
import { afterEach, expect, test } from '@jest/globals'
import type { ChannelModel, SocketOptions } from 'amqplib'
import { Registry } from 'prom-client'
import { eventually } from '../eventually.ts'
import { createMemoryBroker } from './broker.ts'

const queue = 'media.upload-deleted'
const names = topologyNames('test')
const message = () => newMessage('upload.deleted.v1', { uploadId: 'a'.repeat(24), eventId: 'b'.repeat(24) })

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A service with a consumer, on a broker whose timers the test runs. */
const startConsumer = async (handle: () => Promise<void>) => {
  const timers: { work: () => void; delayMs: number }[] = []
  const server = createMemoryBroker({ setTimer: (work, delayMs) => void timers.push({ work, delayMs }) })
  const models: ChannelModel[] = []
  const created: string[] = []
  const broker: Broker = connectBroker({
    url: 'amqp://memory',
    namespace: 'test',
    service: 'test',
    publishes: ['upload.deleted.v1'],
    consumers: [
      defineConsumer(queue, handle),
      defineConsumer('uploads.queue-created', ({ data }) => Promise.resolve(void created.push(data.queue))),
    ],
    connect: async (url: string, options?: SocketOptions) => {
      const model = await server.connect(url, options)
      models.push(model)
      return model
    },
    metrics: createMessagingMetrics(new Registry(), [queue]),
    logger: createLogger('test', 'fatal'),
  })
  closing.push(async () => {
    await broker.stopConsuming()
    await broker.close()
  })
  await eventually(() => broker.isConnected(), 'connecting')
  const connection = await server.connect()
  connection.on('error', () => undefined)
  const channel = await connection.createChannel()
  return {
    broker,
    server,
    created,
    countMessages: async (name: string) => (await channel.checkQueue(name)).messageCount,
    cutConnections: () => {
      for (const model of models) server.cut(model)
    },
    /** Resolves when a message is delayed; `work` lets its time pass. */
    nextDelay: () => eventually(() => timers.shift(), 'a delayed message'),
  }
}

test('When a handler fails, then the message is delivered again after each delay, and then dead-lettered', async () => {
  let attempts = 0
  const { broker, countMessages, nextDelay } = await startConsumer(() => {
    attempts += 1
    return Promise.reject(new Error('storage is full'))
  })
  await broker.publish(message())
  for (const [index, delayMs] of [5_000, 30_000, 300_000].entries()) {
    const delay = await nextDelay()
    expect([attempts, delay.delayMs]).toEqual([index + 1, delayMs])
    delay.work()
    await eventually(() => attempts === index + 2)
  }
  await eventually(async () => (await countMessages(names.deadQueue(queue))) === 1)
  expect(attempts).toBe(4)
  expect(await countMessages(names.queue(queue))).toBe(0)
})

test('When what a handler needs is unavailable, then the message is delayed until it is back, however often', async () => {
  let isAvailable = false
  let handled = 0
  const { broker, countMessages, nextDelay } = await startConsumer(() => {
    if (!isAvailable) return Promise.reject(unavailable('The database is unavailable'))
    handled += 1
    return Promise.resolve()
  })
  await broker.publish(message())
  const delays: number[] = []
  for (let outages = 1; outages <= 8; outages += 1) {
    const { delayMs, work } = await nextDelay()
    delays.push(delayMs)
    isAvailable = outages === 8
    work()
  }
  expect(delays).toEqual([5_000, ...Array.from({ length: 7 }, () => 30_000)])
  await eventually(() => handled === 1)
  expect(await countMessages(names.deadQueue(queue))).toBe(0)
})

test('When the connection is cut while a message is handled, then it is delivered again', async () => {
  const release = Promise.withResolvers<undefined>()
  let started = 0
  let handled = 0
  const { broker, cutConnections } = await startConsumer(async () => {
    started += 1
    await release.promise
    handled += 1
  })
  await broker.publish(message())
  await eventually(() => started === 1)
  cutConnections()
  await eventually(() => !broker.isConnected())
  await eventually(() => broker.isConnected(), 'reconnecting')
  release.resolve(undefined)
  await eventually(() => handled === 2)
})

test('When the broker was stopped, then it refuses messages meanwhile, and those that it had are handled', async () => {
  let isBroken = true
  let handled = 0
  const { broker, server, nextDelay } = await startConsumer(() => {
    if (isBroken) return Promise.reject(new Error('broken'))
    handled += 1
    return Promise.resolve()
  })
  await broker.publish(message())
  const { work } = await nextDelay()
  server.stop()
  await eventually(() => !broker.isConnected())
  await expect(broker.publish(message())).rejects.toThrow('The broker is disconnected')
  server.start()
  await eventually(() => broker.isConnected(), 'reconnecting')
  isBroken = false
  work()
  await eventually(() => handled === 1)
})

test('When the connection is lost while the broker is closed, then closing it ends', async () => {
  const { broker, cutConnections } = await startConsumer(() => Promise.resolve())
  cutConnections()
  await broker.close()
  expect(broker.isConnected()).toBe(false)
})

test('When a queue is lost, then it is declared again, and a message says so', async () => {
  let handled = 0
  const { broker, server, created } = await startConsumer(() => Promise.resolve(void (handled += 1)))
  await eventually(() => created.includes(queue))
  created.length = 0
  server.loseQueue(names.queue(queue))
  await eventually(() => created.includes(queue), 'a message for the queue')
  await eventually(() =>
    broker.publish(message()).then(
      () => true,
      () => false,
    ),
  )
  await eventually(() => handled === 1)
})
