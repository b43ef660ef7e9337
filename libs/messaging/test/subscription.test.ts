import { execFileSync } from 'node:child_process'
import type { Envelope } from '@confetti/contracts'
import {
  brokerQueueNames,
  furtherRoutingKeys,
  newMessage,
  queuesOf,
  topologyNames,
  type Subscription,
} from '@confetti/messaging'
import { eventually, startTcpProxy, testBackends } from '@confetti/test-kit'
import { afterAll, expect, test } from '@jest/globals'
import { connect } from 'amqplib'
import {
  deleteNamespaces,
  newId,
  newNamespace,
  publishedTypes,
  retryDelaysMs,
  startBroker,
} from './test-broker.ts'

afterAll(deleteNamespaces)

const url = testBackends().rabbitmq

/** A subscription that records what it receives. */
const recordSubscription = (handle: (message: Envelope) => void = () => undefined) => {
  const received: Envelope[] = []
  let gaps = 0
  const record = (message: Envelope): void => {
    received.push(message)
    handle(message)
  }
  const subscription: Subscription = {
    handlers: {
      'upload.completed.v1': record,
      'upload.changed.v1': record,
      'upload.deleted.v1': record,
      'event.changed.v1': record,
      'event.deleted.v1': record,
    },
    onGap: () => (gaps += 1),
    maxLength: 10,
  }
  return { subscription, received, countGaps: () => gaps }
}

const eventId = newId()
const changedUpload = (of = eventId) =>
  newMessage('upload.changed.v1', { uploadId: newId(), eventId: of, status: 'ready', visibility: 'visible' })
const deletedUpload = (of = eventId) => newMessage('upload.deleted.v1', { uploadId: newId(), eventId: of })

/** Connects a subscription that follows the event. */
const startFollowing = async (rabbitmqUrl: string, namespace: string, subscription: Subscription) => {
  const broker = await startBroker(rabbitmqUrl, namespace, [], subscription)
  await broker.follow(eventId)
  return broker
}

test('When two replicas follow an event, then each receives its messages once, after a first gap, and no others', async () => {
  const namespace = newNamespace()
  const [first, second] = [recordSubscription(), recordSubscription()]
  const brokers = [
    await startFollowing(url, namespace, first.subscription),
    await startFollowing(url, namespace, second.subscription),
  ]
  expect([first.countGaps(), second.countGaps()]).toEqual([1, 1])
  // Twice is once.
  await brokers[1]?.follow(eventId)
  const messages = [
    deletedUpload(),
    changedUpload(),
    changedUpload(newId()),
    newMessage('user.deleted.v1', { _id: newId(), email: '' }),
  ]
  for (const message of messages) await brokers[0]?.publish(message)
  const last = deletedUpload()
  await brokers[0]?.publish(last)
  const expected = [messages[0]?.id, messages[1]?.id, last.id]
  for (const { received, countGaps } of [first, second]) {
    await eventually(() => received.some(({ id }) => id === last.id))
    expect(received.map(({ id }) => id)).toEqual(expected)
    expect(countGaps()).toBe(1)
  }
  for (const broker of brokers) await broker.stop()
})

test('When an event is not followed any more, then its messages do not arrive', async () => {
  const namespace = newNamespace()
  const { subscription, received } = recordSubscription()
  const broker = await startFollowing(url, namespace, subscription)
  const other = newId()
  await broker.follow(other)
  broker.unfollow(eventId)
  // Answered after the other call on the same channel.
  await broker.follow(other)
  await broker.publish(changedUpload())
  const last = changedUpload(other)
  await broker.publish(last)
  await eventually(() => received.length > 0)
  expect(received.map(({ id }) => id)).toEqual([last.id])
  await broker.stop()
  await expect(broker.follow(eventId)).rejects.toThrow('The broker is disconnected')
})

test('When a type has neither subscribers nor a queue of its own, then publishing it succeeds', async () => {
  const broker = await startBroker(url, newNamespace())
  await broker.publish(changedUpload())
  await broker.stop()
})

test('When the connection was lost, then the subscriber is notified of a gap and receives what is published afterwards', async () => {
  const proxy = await startTcpProxy(url)
  const namespace = newNamespace()
  const { subscription, received, countGaps } = recordSubscription()
  const subscriber = await startFollowing(proxy.url, namespace, subscription)
  const publisher = await startBroker(url, namespace)
  proxy.setMode('refuse')
  await eventually(() => !subscriber.isConnected())
  await publisher.publish(deletedUpload())
  proxy.setMode('pass')
  await eventually(() => countGaps() === 2, 'a second gap')
  const message = deletedUpload()
  await publisher.publish(message)
  await eventually(() => received.some(({ id }) => id === message.id))
  await subscriber.stop()
  await publisher.stop()
  await proxy.close()
})

/** Publishes messages in another process, while this one is blocked. */
const publishMeanwhile = (namespace: string, count: number): void => {
  const program = `
    const { connect } = require('amqplib')
    connect(process.argv[1]).then(async (connection) => {
      const channel = await connection.createConfirmChannel()
      for (let n = 0; n < ${count}; n += 1)
        channel.publish(process.argv[2], process.argv[3], Buffer.from('no message'))
      await channel.waitForConfirms()
      await connection.close()
    })`
  const { exchange } = topologyNames(namespace)
  const [key = ''] = furtherRoutingKeys(changedUpload()).BCC ?? []
  execFileSync(process.execPath, ['-e', program, url, exchange, key], { timeout: 30_000 })
}

test('When more messages arrive than may wait, then the subscriber is notified of one gap for all of them', async () => {
  const namespace = newNamespace()
  let isBlocked = false
  const { subscription, received, countGaps } = recordSubscription(() => {
    if (isBlocked) return
    isBlocked = true
    publishMeanwhile(namespace, 500)
  })
  const broker = await startFollowing(url, namespace, subscription)
  await broker.publish(deletedUpload())
  await eventually(() => countGaps() >= 2, 'a gap')
  const last = deletedUpload()
  await broker.publish(last)
  await eventually(() => received.some(({ id }) => id === last.id))
  expect(countGaps()).toBe(2)
  await broker.stop()
})

test('When a message violates its contract, then it is ignored, and the next one is handled', async () => {
  const namespace = newNamespace()
  const { subscription, received } = recordSubscription()
  const broker = await startFollowing(url, namespace, subscription)
  publishMeanwhile(namespace, 1)
  const message = deletedUpload()
  await broker.publish(message)
  await eventually(() => received.length > 0)
  expect(received.map(({ id }) => id)).toEqual([message.id])
  await broker.stop()
})

test('When a subscriber disconnects, then its queue is gone', async () => {
  const namespace = newNamespace()
  const broker = await startFollowing(url, namespace, recordSubscription().subscription)
  await broker.stop()
  const connection = await connect(url)
  const channel = await connection.createChannel()
  // Each durable queue has one for dead letters; nothing else is left that receives the message.
  for (const name of brokerQueueNames(namespace, queuesOf('test', publishedTypes), retryDelaysMs))
    await channel.checkQueue(name)
  for (const queue of ['media.upload-deleted', 'events.upload-deleted'] as const)
    await channel.deleteQueue(topologyNames(namespace).queue(queue))
  const isReturned = new Promise((resolve) => channel.once('return', () => resolve(true)))
  await eventually(() => {
    channel.publish(namespace, 'upload.deleted.v1', Buffer.from('{}'), {
      mandatory: true,
      ...furtherRoutingKeys(deletedUpload()),
    })
    return Promise.race([isReturned, new Promise((resolve) => setTimeout(resolve, 50, false))])
  }, 'a message that no queue receives')
  await connection.close()
})
