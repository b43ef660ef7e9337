import { consumer, namesIn } from '@confetti/messaging'
import { eventually, testBackends } from '@confetti/test-kit'
import { expect, test } from '@jest/globals'
import { connect } from 'amqplib'
import type { Registry } from 'prom-client'
import { deletedUpload, newNamespace, startBroker } from './stand.ts'

const url = testBackends().rabbitmq
const queue = 'media.upload-deleted'

const valueOf = async (registry: Registry, series: string): Promise<number | undefined> => {
  const line = (await registry.metrics()).split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('When facts are handled, fail and are given up, then each is counted, and its age at its first attempt', async () => {
  const namespace = newNamespace()
  let tries = 0
  const broker = await startBroker(url, namespace, [
    consumer(queue, () => {
      tries += 1
      return tries === 1 ? Promise.reject(new Error('not now')) : Promise.resolve()
    }),
  ])
  const count = (outcome: string) =>
    valueOf(broker.metrics, `messaging_handled_total{queue="${queue}",outcome="${outcome}"}`)
  expect([await count('handled'), await count('retried'), await count('dead')]).toEqual([0, 0, 0])

  const made = deletedUpload()
  await broker.publish({ ...made, time: new Date(Date.parse(made.time) - 60_000).toISOString() })
  await eventually(async () => (await count('handled')) === 1)
  expect(await count('retried')).toBe(1)
  expect(await valueOf(broker.metrics, 'messaging_published_total{type="upload.deleted.v1"}')).toBe(1)
  const age = (part: string) =>
    valueOf(broker.metrics, `messaging_message_age_seconds_${part}{queue="${queue}"}`)
  expect(await age('count')).toBe(1)
  expect(await age('sum')).toBeGreaterThanOrEqual(60)

  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  channel.sendToQueue(namesIn(namespace).queue(queue), Buffer.from('no JSON'), { messageId: 'bad' })
  await channel.waitForConfirms()
  await connection.close()
  await eventually(async () => (await count('dead')) === 1)
  const deadLetters = `messaging_dead_letters{queue="${queue}"}`
  await eventually(async () => (await valueOf(broker.metrics, deadLetters)) === 1, deadLetters)
  await broker.stop()
})

test('When facts wait for a consumer that is busy, then it is seen how many, though another queue is lost', async () => {
  const namespace = newNamespace()
  const release = Promise.withResolvers<undefined>()
  const broker = await startBroker(url, namespace, [consumer(queue, () => release.promise, { prefetch: 1 })])
  const waiting = () => valueOf(broker.metrics, `messaging_queue_messages{queue="${queue}"}`)
  const connection = await connect(url)
  const channel = await connection.createChannel()
  // Who asks for it now has his channel closed.
  await channel.deleteQueue(namesIn(namespace).deadQueue(queue))
  await connection.close()
  for (let n = 0; n < 4; n += 1) await broker.publish(deletedUpload())
  await eventually(async () => (await waiting()) === 3, 'three waiting')
  release.resolve(undefined)
  await eventually(async () => (await waiting()) === 0, 'none waiting')
  expect(broker.connected()).toBe(true)
  await broker.stop()
})

test('When a fact waits for its next attempt, then it is seen there, and no longer in its queue', async () => {
  const namespace = newNamespace()
  const broker = await startBroker(url, namespace, [
    consumer(queue, () => Promise.reject(new Error('not now'))),
  ])
  const waiting = (delay: number) =>
    valueOf(broker.metrics, `messaging_retry_messages{delay_seconds="${delay}"}`)
  const made = deletedUpload()
  const fact = {
    specversion: '1.0',
    source: '/test',
    datacontenttype: 'application/json',
    ...made,
  }
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  // It has failed twice before, so that it waits for five minutes.
  const properties = { messageId: made.id, headers: { 'x-attempt': 2 } }
  channel.sendToQueue(namesIn(namespace).queue(queue), Buffer.from(JSON.stringify(fact)), properties)
  await channel.waitForConfirms()
  await eventually(async () => (await waiting(300)) === 1, 'one waiting')
  expect([await waiting(5), await waiting(30)]).toEqual([0, 0])
  expect(await valueOf(broker.metrics, `messaging_queue_messages{queue="${queue}"}`)).toBe(0)
  await channel.purgeQueue(namesIn(namespace).retry(300_000))
  await connection.close()
  await eventually(async () => (await waiting(300)) === 0, 'none waiting')
  await broker.stop()
})
