import type { Envelope } from '@confetti/contracts'
import { consumer, namesIn, openDeadLetters } from '@confetti/messaging'
import { eventually, startTcpProxy, testBackends } from '@confetti/test-kit'
import { expect, test } from '@jest/globals'
import { connect } from 'amqplib'
import { deletedUpload, newNamespace, startBroker } from './stand.ts'

const url = testBackends().rabbitmq
const queue = 'media.upload-deleted'
type Fact = Envelope<'upload.deleted.v1'>

const waiting = async (name: string): Promise<number> => {
  const connection = await connect(url)
  const channel = await connection.createChannel()
  const { messageCount } = await channel.checkQueue(name)
  await connection.close()
  return messageCount
}

test('When a fact is published, then its consumer gets it as a CloudEvent with the id it was made with', async () => {
  const got: Fact[] = []
  const broker = await startBroker(url, newNamespace(), [
    consumer(queue, (fact) => Promise.resolve(void got.push(fact))),
  ])
  const message = deletedUpload()
  await broker.publish(message)
  const [fact] = await eventually(() => got.length > 0 && got)
  expect(fact).toEqual({
    specversion: '1.0',
    source: '/test',
    datacontenttype: 'application/json',
    ...message,
  })
  await broker.stop()
})

test('When a handler fails, then the fact comes again after the first delay', async () => {
  let tries = 0
  const broker = await startBroker(url, newNamespace(), [
    consumer(queue, () => {
      tries += 1
      return tries === 1 ? Promise.reject(new Error('not now')) : Promise.resolve()
    }),
  ])
  await broker.publish(deletedUpload())
  await eventually(() => tries === 2)
  await broker.stop()
})

test('When the last attempt fails, then the fact is a dead letter, and can be looked at and sent again', async () => {
  const namespace = newNamespace()
  let healthy = false
  const got: Fact[] = []
  const broker = await startBroker(url, namespace, [
    consumer(queue, (fact) =>
      healthy ? Promise.resolve(void got.push(fact)) : Promise.reject(new Error('storage is full')),
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
  channel.sendToQueue(namesIn(namespace).queue(queue), Buffer.from(JSON.stringify(content)), {
    messageId: id,
    headers: { 'x-attempt': 3 },
  })
  await channel.waitForConfirms()

  const deadLetters = await openDeadLetters({ url, namespace })
  const letter = await eventually(async () => (await deadLetters.list())[0])
  expect(letter).toMatchObject({ queue, messageId: id, attempts: 4, reason: 'storage is full' })
  expect(await deadLetters.list()).toHaveLength(1)

  healthy = true
  expect(await deadLetters.sendAgain(queue)).toBe(1)
  await eventually(() => got.some((fact) => fact.id === id))
  expect(await deadLetters.list()).toEqual([])
  await deadLetters.close()
  await connection.close()
  await broker.stop()
})

test('When a message does not satisfy its contract, then it is a dead letter at once and the next one is handled', async () => {
  const namespace = newNamespace()
  const got: Fact[] = []
  const broker = await startBroker(url, namespace, [
    consumer(queue, (fact) => Promise.resolve(void got.push(fact))),
  ])
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  for (const content of ['no JSON', '{}', '{"specversion":"1.0"}'])
    channel.sendToQueue(namesIn(namespace).queue(queue), Buffer.from(content), { messageId: 'bad' })
  await channel.waitForConfirms()
  await connection.close()
  await broker.publish(deletedUpload())
  await eventually(() => got.length === 1)
  await eventually(async () => (await waiting(namesIn(namespace).deadQueue(queue))) === 3)
  await broker.stop()
})

test('When a service stops, then the fact in work is finished and the others wait for the next one', async () => {
  const namespace = newNamespace()
  const release = Promise.withResolvers<undefined>()
  const handled: string[] = []
  const work = consumer(
    queue,
    async ({ id }) => {
      await release.promise
      handled.push(id)
    },
    { prefetch: 1 },
  )
  const first = await startBroker(url, namespace, [work])
  const messages = [deletedUpload(), deletedUpload(), deletedUpload()]
  for (const message of messages) await first.publish(message)
  const stopping = first.stop()
  release.resolve(undefined)
  await stopping
  expect(handled).toEqual([messages[0]?.id])

  const second = await startBroker(url, namespace, [work])
  await eventually(() => handled.length === 3)
  expect(new Set(handled)).toEqual(new Set(messages.map(({ id }) => id)))
  await second.stop()
})

test('When the connection is lost again and again while a fact is in work, then its copies wait, and so does a stop', async () => {
  const way = await startTcpProxy(url)
  const namespace = newNamespace()
  const release = Promise.withResolvers<undefined>()
  let begun = 0
  let finished = 0
  const work = consumer(
    queue,
    async () => {
      begun += 1
      await release.promise
      finished += 1
    },
    { prefetch: 1 },
  )
  const broker = await startBroker(way.url, namespace, [work])
  await broker.publish(deletedUpload())
  await eventually(() => begun === 1)
  for (let n = 0; n < 3; n += 1) {
    way.mode('refuse')
    await eventually(() => !broker.connected())
    way.mode('pass')
    await eventually(() => broker.connected())
    await eventually(async () => (await waiting(namesIn(namespace).queue(queue))) === 0, 'the next delivery')
  }
  expect(begun).toBe(1)

  let stopped = false
  const stopping = broker.stop().then(() => (stopped = true))
  // Longer than a stop takes that waits for nothing.
  await waiting(namesIn(namespace).queue(queue))
  expect(stopped).toBe(false)
  release.resolve(undefined)
  await stopping
  expect([begun, finished]).toEqual([1, 1])
  await way.close()
})

test('When a queue is deleted under its consumer, then it is declared and consumed again', async () => {
  const namespace = newNamespace()
  const got: Fact[] = []
  const broker = await startBroker(url, namespace, [
    consumer(queue, (fact) => Promise.resolve(void got.push(fact))),
  ])
  const connection = await connect(url)
  const channel = await connection.createChannel()
  await channel.deleteQueue(namesIn(namespace).queue(queue))
  await connection.close()

  const message = deletedUpload()
  await eventually(() =>
    broker.publish(message).then(
      () => true,
      () => false,
    ),
  )
  await eventually(() => got.some(({ id }) => id === message.id))
  await broker.stop()
})
