import type { Envelope } from '@confetti/contracts'
import { defineConsumer, topologyNames, queueNames, openDeadLetters } from '@confetti/messaging'
import { eventually, startTcpProxy, testBackends } from '@confetti/test-kit'
import { expect, test } from '@jest/globals'
import { connect } from 'amqplib'
import { deletedUpload, newNamespace, startBroker } from './test-broker.ts'

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
    source: '/test',
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
  const { id, type, time, data } = deletedUpload()
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  const content = {
    specversion: '1.0',
    source: '/test',
    datacontenttype: 'application/json',
    id,
    type,
    time,
    data,
  }
  channel.sendToQueue(topologyNames(namespace).queue(queue), Buffer.from(JSON.stringify(content)), {
    messageId: id,
    headers: { 'x-attempt': 3 },
  })
  await channel.waitForConfirms()

  const deadLetters = await openDeadLetters({ url, namespace })
  const deadLetter = await eventually(async () => (await deadLetters.list())[0])
  expect(deadLetter).toMatchObject({ queue, messageId: id, attempts: 4, reason: 'storage is full' })
  expect(await deadLetters.list()).toHaveLength(1)

  healthy = true
  expect(await deadLetters.requeue(queue)).toBe(1)
  await eventually(() => received.some((message) => message.id === id))
  expect(await deadLetters.list()).toEqual([])
  await deadLetters.close()
  await connection.close()
  await broker.stop()
})

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

test('When a queue is deleted under its consumer, then it is declared and consumed again, and a message says so', async () => {
  const namespace = newNamespace()
  const received: Message[] = []
  const created: string[] = []
  const broker = await startBroker(url, namespace, [
    defineConsumer(queue, (message) => Promise.resolve(void received.push(message))),
    defineConsumer('uploads.queue-created', ({ data }) => Promise.resolve(void created.push(data.queue))),
  ])
  await eventually(
    () => new Set(created).size === queueNames.length,
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
