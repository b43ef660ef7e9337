import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getUser, type Envelope } from '@confetti/contracts'
import {
  defineConsumer,
  openDeadLetters,
  newMessage,
  queueNames,
  queuesOf,
  type QueueName,
  toEnvelope,
  topologyNames,
  type Message as Outgoing,
} from '@confetti/messaging'
import { callService, connectMongo } from '@confetti/service-kit'
import { eventually, startTcpProxy, testBackends } from '@confetti/test-kit'
import { afterAll, expect, test } from '@jest/globals'
import { connect } from 'amqplib'
import {
  deletedUpload,
  deleteNamespaces,
  logger,
  newId,
  newNamespace,
  publishedTypes,
  startBroker,
} from './test-broker.ts'

afterAll(deleteNamespaces)

const url = testBackends().rabbitmq
const queue = 'media.upload-deleted'
type Message = Envelope<'upload.deleted.v1'>

const countMessages = async (name: string): Promise<number> => {
  const connection = await connect(url)
  const channel = await connection.createChannel()
  const { messageCount } = await channel.checkQueue(name)
  await connection.close()
  return messageCount
}

const isMissing = async (name: string): Promise<boolean> => {
  const connection = await connect(url)
  const channel = await connection.createChannel()
  channel.on('error', () => undefined)
  try {
    await channel.checkQueue(name)
    return false
  } catch {
    return true
  } finally {
    await connection.close()
  }
}

/** Sends a message to a queue as its last attempt: if it counts, the message becomes a dead letter. */
const sendLastAttempt = async (namespace: string, message: Outgoing): Promise<void> => {
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  channel.sendToQueue(
    topologyNames(namespace).queue(queue),
    Buffer.from(JSON.stringify(toEnvelope(message, '/test'))),
    { messageId: message.id, headers: { 'x-attempt': 3 } },
  )
  await channel.waitForConfirms()
  await connection.close()
}

test('When a message is published, then its consumer receives it as a CloudEvent with the same id', async () => {
  const received: Message[] = []
  const broker = await startBroker(url, newNamespace(), [
    defineConsumer(queue, (message) => Promise.resolve(void received.push(message))),
  ])
  const message = deletedUpload()
  await broker.publish(message)
  const [consumed] = await eventually(() => received.length > 0 && received)
  expect(consumed).toEqual({
    specversion: '1.0',
    source: '/services/test',
    datacontenttype: 'application/json',
    ...message,
  })
  await broker.stop()
})

test('When a handler fails, then the message is delivered again after the first delay', async () => {
  let attempts = 0
  const broker = await startBroker(url, newNamespace(), [
    defineConsumer(queue, () => {
      attempts += 1
      return attempts === 1 ? Promise.reject(new Error('not now')) : Promise.resolve()
    }),
  ])
  await broker.publish(deletedUpload())
  await eventually(() => attempts === 2)
  await broker.stop()
})

test('When the last attempt fails, then the message is dead-lettered, and can be listed and requeued', async () => {
  const namespace = newNamespace()
  let healthy = false
  const received: Message[] = []
  const broker = await startBroker(url, namespace, [
    defineConsumer(queue, (message) =>
      healthy ? Promise.resolve(void received.push(message)) : Promise.reject(new Error('storage is full')),
    ),
  ])
  const message = deletedUpload()
  const { id } = message
  await sendLastAttempt(namespace, message)

  const deadLetters = await openDeadLetters({ url, namespace })
  const deadLetter = await eventually(async () => (await deadLetters.list())[0])
  expect(deadLetter).toMatchObject({ queue, messageId: id, attempts: 4, reason: 'storage is full' })
  expect(await deadLetters.list()).toHaveLength(1)

  healthy = true
  expect(await deadLetters.requeue(queue)).toBe(1)
  await eventually(() => received.some((message) => message.id === id))
  expect(await deadLetters.list()).toEqual([])
  await deadLetters.close()
  await broker.stop()
})

test('When an earlier version has left dead letters, then they are moved to where they end after 30 days', async () => {
  const namespace = newNamespace()
  const { deadQueue, formerDeadQueue, deadExchange, queue: nameOf } = topologyNames(namespace)
  const former = formerDeadQueue(queue)
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  await channel.assertExchange(deadExchange, 'direct', { durable: true })
  await channel.assertQueue(former, {
    arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 1_000_000 },
  })
  await channel.bindQueue(former, deadExchange, nameOf(queue))
  const letters = [deletedUpload(), deletedUpload()]
  for (const { id } of letters)
    channel.publish(deadExchange, nameOf(queue), Buffer.from('{}'), {
      messageId: id,
      headers: { 'x-attempt': 4, 'x-reason': 'storage is full' },
    })
  await channel.waitForConfirms()

  const broker = await startBroker(url, namespace, [defineConsumer(queue, () => Promise.resolve())])
  const deadLetters = await openDeadLetters({ url, namespace })
  await eventually(async () => (await countMessages(deadQueue(queue))) === 2, 'the dead letters')
  expect(await deadLetters.list()).toMatchObject(
    letters.map(({ id }) => ({ messageId: id, attempts: 4, reason: 'storage is full' })),
  )
  // Declared otherwise, the broker would refuse it.
  await channel.assertQueue(deadQueue(queue), {
    arguments: {
      'x-queue-type': 'quorum',
      'x-delivery-limit': 1_000_000,
      'x-message-ttl': 30 * 24 * 3_600_000,
    },
  })
  await eventually(() => isMissing(former), 'the end of the former queue')
  await deadLetters.close()
  await connection.close()
  await broker.stop()
})

test.each<
  [string, (proxy: { url: string }) => Promise<{ call: () => Promise<unknown>; close: () => Promise<void> }>]
>([
  [
    'database',
    async (proxy) => {
      const connection = await connectMongo(`${proxy.url}/unused`, logger)
      return { call: async () => connection.db?.collection('any').findOne(), close: () => connection.close() }
    },
  ],
  [
    'service',
    (proxy) =>
      Promise.resolve({
        call: () => callService(proxy.url, getUser, { userId: newId() }),
        close: () => Promise.resolve(),
      }),
  ],
])(
  'When the %s that a handler needs is unavailable for longer than all attempts, then the message is handled once it is back, and a metric says so',
  async (dependency, open) => {
    const service = createServer((_, response) => {
      response.end(
        JSON.stringify({ _id: newId(), email: 'any@example.com', role: 'user', active: true, revision: 0 }),
      )
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    const { port } = service.address() as AddressInfo
    const proxy = await startTcpProxy(
      dependency === 'database' ? testBackends().mongo : `http://127.0.0.1:${port}`,
    )
    const { call, close } = await open(proxy)
    const namespace = newNamespace()
    const handled: string[] = []
    const broker = await startBroker(url, namespace, [
      defineConsumer(queue, async ({ id }) => {
        await call()
        handled.push(id)
      }),
    ])
    const count = async (outcome: string): Promise<number> =>
      (await broker.metrics.getSingleMetric('messaging_handled_total')?.get())?.values.find(
        ({ labels }) => labels.outcome === outcome,
      )?.value ?? 0

    proxy.setMode('refuse')
    const message = deletedUpload()
    await sendLastAttempt(namespace, message)
    await eventually(
      async () => (await count('unavailable')) >= 2 || (await count('dead')) > 0,
      'two deliveries, or a dead letter',
    )
    expect(await count('dead')).toBe(0)
    proxy.setMode('pass')
    await eventually(() => handled.includes(message.id), 'the message is handled')
    expect([await count('dead'), await count('retried')]).toEqual([0, 0])

    await broker.stop()
    await close()
    await proxy.close()
    service.close()
  },
)

test('When a message does not match its contract, then it is dead-lettered at once and the next one is handled', async () => {
  const namespace = newNamespace()
  const received: Message[] = []
  const broker = await startBroker(url, namespace, [
    defineConsumer(queue, (message) => Promise.resolve(void received.push(message))),
  ])
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  for (const content of ['no JSON', '{}', '{"specversion":"1.0"}'])
    channel.sendToQueue(topologyNames(namespace).queue(queue), Buffer.from(content), { messageId: 'bad' })
  await channel.waitForConfirms()
  await connection.close()
  await broker.publish(deletedUpload())
  await eventually(() => received.length === 1)
  await eventually(async () => (await countMessages(topologyNames(namespace).deadQueue(queue))) === 3)
  await broker.stop()
})

test('When a service stops, then the message being handled is finished and the others stay in the queue', async () => {
  const namespace = newNamespace()
  const release = Promise.withResolvers<undefined>()
  const handled: string[] = []
  const consumer = defineConsumer(
    queue,
    async ({ id }) => {
      await release.promise
      handled.push(id)
    },
    { prefetch: 1 },
  )
  const first = await startBroker(url, namespace, [consumer])
  const messages = [deletedUpload(), deletedUpload(), deletedUpload()]
  for (const message of messages) await first.publish(message)
  const stopping = first.stop()
  release.resolve(undefined)
  await stopping
  expect(handled).toEqual([messages[0]?.id])

  const second = await startBroker(url, namespace, [consumer])
  await eventually(() => handled.length === 3)
  expect(new Set(handled)).toEqual(new Set(messages.map(({ id }) => id)))
  await second.stop()
})

test.each([1, 10])(
  'When the connection is lost several times while a message is being handled, then redeliveries and a stop wait for the handler (prefetch %d)',
  async (prefetch) => {
    const proxy = await startTcpProxy(url)
    const namespace = newNamespace()
    const release = Promise.withResolvers<undefined>()
    let started = 0
    let finished = 0
    const consumer = defineConsumer(
      queue,
      async () => {
        started += 1
        await release.promise
        finished += 1
      },
      { prefetch },
    )
    const broker = await startBroker(proxy.url, namespace, [consumer])
    await broker.publish(deletedUpload())
    await eventually(() => started === 1)
    for (let n = 0; n < 3; n += 1) {
      proxy.setMode('refuse')
      await eventually(() => !broker.isConnected())
      proxy.setMode('pass')
      await eventually(() => broker.isConnected())
      await eventually(
        async () => (await countMessages(topologyNames(namespace).queue(queue))) === 0,
        'the next delivery',
      )
    }
    expect(started).toBe(1)

    let stopped = false
    const stopping = broker.stop().then(() => (stopped = true))
    // Takes longer than a stop that does not wait for a handler.
    await countMessages(topologyNames(namespace).queue(queue))
    expect(stopped).toBe(false)
    release.resolve(undefined)
    await stopping
    expect([started, finished]).toEqual([1, 1])
    await proxy.close()
  },
)

test('When a service connects, then it declares its own queues and those for what it publishes, and binds what exists', async () => {
  const namespace = newNamespace()
  const received: Message[] = []
  const consumer = defineConsumer(queue, (message) => Promise.resolve(void received.push(message)))
  const first = await startBroker(url, namespace, [consumer])
  await first.stop()
  const connection = await connect(url)
  const exists = async (name: QueueName): Promise<boolean> => {
    const channel = await connection.createChannel()
    channel.on('error', () => undefined)
    return channel.checkQueue(topologyNames(namespace).queue(name)).then(
      () => true,
      () => false,
    )
  }
  const declared: QueueName[] = []
  for (const name of queueNames) if (await exists(name)) declared.push(name)
  expect(declared.toSorted()).toEqual([
    'contact.user-deleted',
    'events.upload-deleted',
    'events.user-deleted',
    'media.upload-deleted',
    'notifications.user-deleted',
    'uploads.queue-created',
  ])
  const unbinding = await connection.createChannel()
  await unbinding.unbindQueue(topologyNames(namespace).queue(queue), namespace, 'upload.deleted.v1')
  await connection.close()

  const second = await startBroker(url, namespace, [consumer])
  const message = deletedUpload()
  await second.publish(message)
  await eventually(() => received.some(({ id }) => id === message.id), 'the message')
  await expect(second.publish(newMessage('event.deleted.v1', { _id: newId() }))).rejects.toThrow(
    'test publishes event.deleted.v1, whose queues it does not declare',
  )
  await second.stop()
})

test('When a queue is deleted under its consumer, then it is declared and consumed again, and a message says so', async () => {
  const namespace = newNamespace()
  const received: Message[] = []
  const created: string[] = []
  const broker = await startBroker(url, namespace, [
    defineConsumer(queue, (message) => Promise.resolve(void received.push(message))),
    defineConsumer('uploads.queue-created', ({ data }) => Promise.resolve(void created.push(data.queue))),
  ])
  await eventually(
    () => new Set(created).size === queuesOf('test', publishedTypes).length,
    'a message for each queue at the first start',
  )
  created.length = 0
  const connection = await connect(url)
  const channel = await connection.createChannel()
  await channel.deleteQueue(topologyNames(namespace).queue(queue))
  await connection.close()
  await eventually(() => created.includes(queue), 'the message')
  expect(new Set(created)).toEqual(new Set([queue]))

  const message = deletedUpload()
  await eventually(() =>
    broker.publish(message).then(
      () => true,
      () => false,
    ),
  )
  await eventually(() => received.some(({ id }) => id === message.id))
  await broker.stop()
})
