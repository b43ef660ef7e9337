import { defineConsumer, topologyNames } from '@confetti/messaging'
import { eventually, testBackends } from '@confetti/test-kit'
import { afterAll, expect, test } from '@jest/globals'
import { connect } from 'amqplib'
import type { Registry } from 'prom-client'
import { deletedUpload, deleteNamespaces, newNamespace, startBroker } from './test-broker.ts'

afterAll(deleteNamespaces)

const url = testBackends().rabbitmq
const queue = 'media.upload-deleted'

const readValue = async (registry: Registry, series: string): Promise<number | undefined> => {
  const line = (await registry.metrics()).split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('When messages are handled, retried and dead-lettered, then each outcome is counted, and the age at the first attempt', async () => {
  const namespace = newNamespace()
  let attempts = 0
  const broker = await startBroker(url, namespace, [
    defineConsumer(queue, () => {
      attempts += 1
      return attempts === 1 ? Promise.reject(new Error('not now')) : Promise.resolve()
    }),
  ])
  const count = (outcome: string) =>
    readValue(broker.metrics, `messaging_handled_total{queue="${queue}",outcome="${outcome}"}`)
  expect([await count('handled'), await count('retried'), await count('dead')]).toEqual([0, 0, 0])

  const message = deletedUpload()
  await broker.publish({ ...message, time: new Date(Date.parse(message.time) - 60_000).toISOString() })
  await eventually(async () => (await count('handled')) === 1)
  expect(await count('retried')).toBe(1)
  expect(await readValue(broker.metrics, 'messaging_published_total{type="upload.deleted.v1"}')).toBe(1)
  const age = (part: string) =>
    readValue(broker.metrics, `messaging_message_age_seconds_${part}{queue="${queue}"}`)
  expect(await age('count')).toBe(1)
  expect(await age('sum')).toBeGreaterThanOrEqual(60)

  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  channel.sendToQueue(topologyNames(namespace).queue(queue), Buffer.from('no JSON'), { messageId: 'bad' })
  await channel.waitForConfirms()
  await connection.close()
  await eventually(async () => (await count('dead')) === 1)
  const deadLetters = `messaging_dead_letters{queue="${queue}"}`
  await eventually(async () => (await readValue(broker.metrics, deadLetters)) === 1, deadLetters)
  await broker.stop()
})

test('When messages wait for a busy consumer, then the gauge counts them, although another queue is missing', async () => {
  const namespace = newNamespace()
  const release = Promise.withResolvers<undefined>()
  const broker = await startBroker(url, namespace, [
    defineConsumer(queue, () => release.promise, { prefetch: 1 }),
  ])
  const countQueued = () => readValue(broker.metrics, `messaging_queue_messages{queue="${queue}"}`)
  const connection = await connect(url)
  const channel = await connection.createChannel()
  // Reading the length of a missing queue closes the channel.
  await channel.deleteQueue(topologyNames(namespace).deadQueue(queue))
  await connection.close()
  for (let n = 0; n < 4; n += 1) await broker.publish(deletedUpload())
  await eventually(async () => (await countQueued()) === 3, 'three messages in the queue')
  release.resolve(undefined)
  await eventually(async () => (await countQueued()) === 0, 'an empty queue')
  expect(broker.isConnected()).toBe(true)
  await broker.stop()
})

test('When a message waits for its next attempt, then the retry gauge counts it, and the queue gauge does not', async () => {
  const namespace = newNamespace()
  const broker = await startBroker(url, namespace, [
    defineConsumer(queue, () => Promise.reject(new Error('not now'))),
  ])
  const countRetries = (delaySeconds: number) =>
    readValue(broker.metrics, `messaging_retry_messages{delay_seconds="${delaySeconds}"}`)
  const message = deletedUpload()
  const content = {
    specversion: '1.0',
    source: '/test',
    datacontenttype: 'application/json',
    ...message,
  }
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  // After two failed attempts, the next delay is five minutes.
  const properties = { messageId: message.id, headers: { 'x-attempt': 2 } }
  channel.sendToQueue(topologyNames(namespace).queue(queue), Buffer.from(JSON.stringify(content)), properties)
  await channel.waitForConfirms()
  // Each queue is counted by a call of its own.
  const countAll = async () => [
    await countRetries(300),
    await countRetries(0.2),
    await countRetries(0.4),
    await readValue(broker.metrics, `messaging_queue_messages{queue="${queue}"}`),
  ]
  await eventually(async () => (await countAll()).every((count) => count !== undefined), 'all counts')
  await eventually(async () => (await countRetries(300)) === 1, 'one message in the retry queue')
  expect(await countAll()).toEqual([1, 0, 0, 0])
  await channel.purgeQueue(topologyNames(namespace).retry(300_000))
  await connection.close()
  await eventually(async () => (await countRetries(300)) === 0, 'an empty retry queue')
  await broker.stop()
})
