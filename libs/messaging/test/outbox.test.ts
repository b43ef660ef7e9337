import type { Envelope } from '@confetti/contracts'
import {
  addToOutbox,
  defineConsumer,
  leasedOutbox,
  outboxPlugin,
  runUnderLease,
  startOutboxRelay,
  newOutbox,
  type OutboxFields,
  type OutboxRelay,
} from '@confetti/messaging'
import { currentContext, withRequestId } from '@confetti/service-kit'
import { eventually, startTcpProxy, testBackends, type ProxyMode } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { Schema, type Connection } from 'mongoose'
import { type Gauge, Registry } from 'prom-client'
import { monitorOutbox } from '../src/monitor-outbox.ts'
import {
  deletedUpload,
  deleteNamespaces,
  uploadIdsOf,
  logger,
  newId,
  newNamespace,
  startBroker,
} from './test-broker.ts'

const url = testBackends().rabbitmq
let connection: Connection
beforeAll(async () => {
  connection = await mongoose.createConnection(`${testBackends().mongo}/${newNamespace()}`).asPromise()
})

afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
  await deleteNamespaces()
})

const newModel = () => {
  const schema = new Schema<OutboxFields>()
  outboxPlugin(schema)
  return connection.model<OutboxFields>(`Doc${newId()}`, schema)
}

/** A consumer that collects the messages it receives. */
const createCollector = () => {
  const received: Envelope<'upload.deleted.v1'>[] = []
  return {
    received,
    consumers: [
      defineConsumer('media.upload-deleted', (message) => Promise.resolve(void received.push(message))),
    ],
  }
}

test('When two replicas relay the same outboxes, then every message is published, normally once', async () => {
  const model = newModel()
  const { received, consumers } = createCollector()
  const namespace = newNamespace()
  const brokers = await Promise.all([startBroker(url, namespace, consumers), startBroker(url, namespace)])
  const messages = Array.from({ length: 100 }, () => deletedUpload())
  await model.insertMany(messages.map((message) => ({ ...newOutbox(message) })))
  const relays = brokers.map((broker) => startOutboxRelay({ model, broker, logger }))
  await eventually(() => new Set(uploadIdsOf(received)).size === messages.length)
  await eventually(async () => (await model.countDocuments({ outboxPending: true })) === 0)
  expect(received).toHaveLength(messages.length)
  await Promise.all(relays.map((relay) => relay.stop()))
  await Promise.all(brokers.map((broker) => broker.stop()))
})

test('When a backlog is pending, then one replica at a time publishes it, and searches it once for many messages', async () => {
  const database = newNamespace()
  const { received, consumers } = createCollector()
  const namespace = newNamespace()
  const counts = { find: 0, findAndModify: 0 }
  const messages = Array.from({ length: 200 }, () => deletedUpload())
  const replicas = await Promise.all(
    [consumers, [], []].map(async (consumed) => {
      const replica = await mongoose
        .createConnection(`${testBackends().mongo}/${database}`, { monitorCommands: true })
        .asPromise()
      replica.getClient().on('commandStarted', ({ commandName, command }) => {
        if (command[commandName] === 'backlogs' && commandName in counts)
          counts[commandName as keyof typeof counts] += 1
      })
      const schema = new Schema<OutboxFields>()
      outboxPlugin(schema)
      const model = replica.model<OutboxFields>('Backlog', schema)
      return { replica, model, broker: await startBroker(url, namespace, consumed) }
    }),
  )
  await replicas[0]?.model.insertMany(messages.map((message) => ({ ...newOutbox(message) })))
  const relays = replicas.map(({ model, broker }) => startOutboxRelay({ model, broker, logger }))
  await eventually(() => new Set(uploadIdsOf(received)).size === messages.length, 'delivery', 120_000)
  await Promise.all(relays.map((relay) => relay.stop()))
  expect(received).toHaveLength(messages.length)
  expect(counts.findAndModify).toBe(messages.length)
  // One search finds all; the others are those of idle replicas, every 2 s.
  expect(counts.find).toBeLessThan(60)
  await replicas[0]?.replica.dropDatabase()
  for (const { replica, broker } of replicas) await Promise.all([replica.close(), broker.stop()])
})

test('When another replica publishes the backlog, then it is not searched again until that replica ends', async () => {
  const database = newNamespace()
  const { received, consumers } = createCollector()
  const counts = { searches: 0, leases: 0 }
  const replica = await mongoose
    .createConnection(`${testBackends().mongo}/${database}`, { monitorCommands: true })
    .asPromise()
  const schema = new Schema<OutboxFields>()
  outboxPlugin(schema)
  const model = replica.model<OutboxFields>('Backlog', schema)
  const messages = Array.from({ length: 20 }, () => deletedUpload())
  await model.insertMany(messages.map((message) => ({ ...newOutbox(message) })))
  const broker = await startBroker(url, newNamespace(), consumers)
  const started = Promise.withResolvers<undefined>()
  const ended = Promise.withResolvers<undefined>()
  const other = runUnderLease(replica, 'outbox/backlogs', () => {
    started.resolve(undefined)
    return ended.promise
  })
  await started.promise
  replica.getClient().on('commandStarted', ({ commandName, command }) => {
    if (command.find === 'backlogs') counts.searches += 1
    if (command[commandName] === 'leases') counts.leases += 1
  })
  const relay = startOutboxRelay({ model, broker, pollIntervalMs: 100, logger })
  await eventually(() => counts.leases >= 4, 'polls')
  expect([counts.searches, received]).toEqual([1, []])
  ended.resolve(undefined)
  await other
  await eventually(() => received.length === messages.length, 'delivery')
  await relay.stop()
  await broker.stop()
  await replica.dropDatabase()
  await replica.close()
})

test('When a message is published long after it was made, then its document gets fields of that time', async () => {
  const schema = new Schema<OutboxFields & { changedAt: string }>({ changedAt: String })
  outboxPlugin(schema)
  const model = connection.model<OutboxFields & { changedAt: string }>(`Doc${newId()}`, schema)
  const broker = await startBroker(url, newNamespace(), createCollector().consumers)
  const late = { ...deletedUpload(), time: new Date(Date.now() - 60_000).toISOString() }
  await model.insertMany([
    { changedAt: 'before', ...newOutbox(deletedUpload()) },
    { changedAt: 'before', ...newOutbox(late) },
  ])
  const relay = startOutboxRelay({ model, getLateFields: () => ({ changedAt: 'late' }), broker, logger })
  await eventually(async () => (await model.countDocuments({ outboxPending: true })) === 0, 'publishing')
  const documents = await model.find().sort({ _id: 1 }).lean()
  expect(documents.map(({ changedAt }) => changedAt)).toEqual(['before', 'late'])
  await relay.stop()
  await broker.stop()
})

test('When messages cannot be published, then those behind them are published in the same round', async () => {
  const model = newModel()
  const broker = await startBroker(url, newNamespace(), createCollector().consumers)
  const broken = Array.from({ length: 8 }, () => deletedUpload())
  const others = Array.from({ length: 20 }, () => deletedUpload())
  await model.insertMany([...broken, ...others].map((message) => ({ ...newOutbox(message) })))
  const brokenIds = new Set(broken.map(({ id }) => id))
  const tried: boolean[] = []
  const publish: typeof broker.publish = (message) => {
    const isBroken = brokenIds.has(message.id)
    tried.push(isBroken)
    return isBroken ? Promise.reject(new Error('cannot be published')) : broker.publish(message)
  }
  const relay = startOutboxRelay({ model, broker: { ...broker, publish }, logger })
  await eventually(() => tried.filter((isBroken) => !isBroken).length === others.length, 'publishing')
  const triedBefore = tried.slice(0, tried.lastIndexOf(false))
  expect(triedBefore.filter((isBroken) => isBroken)).toHaveLength(broken.length)
  await eventually(async () => (await model.countDocuments({ outboxPending: true })) === broken.length)
  await relay.stop()
  await broker.stop()
})

test('When a message is added while another one is being published, then both are published', async () => {
  const model = newModel()
  const { received, consumers } = createCollector()
  const broker = await startBroker(url, newNamespace(), consumers)
  const [first, second] = [deletedUpload(), deletedUpload()]
  const { _id } = await model.create({ ...newOutbox(first) })
  let added = false
  const relay = startOutboxRelay({
    model,
    broker: {
      ...broker,
      publish: async (message) => {
        await broker.publish(message)
        if (!added) await model.updateOne({ _id }, addToOutbox({}, second))
        added = true
      },
    },
    logger,
  })
  await eventually(() => uploadIdsOf(received).includes(second.data.uploadId))
  expect(uploadIdsOf(received)).toContain(first.data.uploadId)
  await relay.stop()
  await broker.stop()
})

/** Inserts a document with a leased outbox, and passes its message to the relay of this process. */
const insertLeased = async (
  model: ReturnType<typeof newModel>,
  relay: OutboxRelay,
  message: ReturnType<typeof deletedUpload>,
): Promise<void> => {
  const { _id, outboxVersion, outbox } = await model.create({ ...leasedOutbox(message) })
  relay.publishLeased({ id: _id, version: outboxVersion, messages: outbox })
}

test('When new documents are passed to the relay of their process, then each message is published once, although another relay polls', async () => {
  const model = newModel()
  const { received, consumers } = createCollector()
  const broker = await startBroker(url, newNamespace(), consumers)
  const [relay, otherRelay] = [
    startOutboxRelay({ model, broker, logger }),
    startOutboxRelay({ model, broker, logger }),
  ]
  const messages = Array.from({ length: 50 }, () => deletedUpload())
  await Promise.all(
    messages.map(async (message) => {
      await insertLeased(model, relay, message)
      otherRelay.wakeRelay()
    }),
  )
  await eventually(() => new Set(uploadIdsOf(received)).size === messages.length)
  await eventually(async () => (await model.countDocuments({ outboxPending: true })) === 0)
  expect(received).toHaveLength(messages.length)
  await Promise.all([relay.stop(), otherRelay.stop()])
  await broker.stop()
})

test('When a message is added to a document whose outbox is leased, then both messages are published', async () => {
  const model = newModel()
  const { received, consumers } = createCollector()
  const broker = await startBroker(url, newNamespace(), consumers)
  const relay = startOutboxRelay({ model, broker, logger })
  const [first, second] = [deletedUpload(), deletedUpload()]
  const { _id, outboxVersion, outbox } = await model.create({ ...leasedOutbox(first) })
  await model.updateOne({ _id }, addToOutbox({}, second))
  relay.publishLeased({ id: _id, version: outboxVersion, messages: outbox })
  await eventually(() => uploadIdsOf(received).includes(second.data.uploadId))
  expect(uploadIdsOf(received)).toContain(first.data.uploadId)
  await relay.stop()
  await broker.stop()
})

test('When a process dies that leased an outbox, then another process publishes its message after the lease has expired', async () => {
  const model = newModel()
  const { received, consumers } = createCollector()
  const broker = await startBroker(url, newNamespace(), consumers)
  const message = deletedUpload()
  const { _id, outboxLeaseUntil } = await model.create({ ...leasedOutbox(message) })
  expect(outboxLeaseUntil.getTime()).toBeGreaterThan(Date.now())
  const relay = startOutboxRelay({ model, broker, logger })
  await model.updateOne({ _id }, { $set: { outboxLeaseUntil: new Date() } })
  await eventually(() => uploadIdsOf(received).includes(message.data.uploadId))
  await relay.stop()
  await broker.stop()
})

test('When the broker confirms nothing, then a thousand messages wait for confirms, and others are rejected at once', async () => {
  const proxy = await startTcpProxy(url)
  const broker = await startBroker(proxy.url, newNamespace())
  const released = Promise.withResolvers<undefined>()
  proxy.hooks.onReply = () => released.promise
  // Each is confirmed once the broker continues, or given up after the time limit for confirms.
  const settled = Promise.allSettled(Array.from({ length: 1_000 }, () => broker.publish(deletedUpload())))
  try {
    await expect(broker.publish(deletedUpload())).rejects.toThrow(
      'The broker has not confirmed 1,000 messages',
    )
  } finally {
    proxy.hooks.onReply = undefined
    released.resolve(undefined)
    await settled
  }
  await eventually(() =>
    broker.publish(deletedUpload()).then(
      () => true,
      () => false,
    ),
  )
  await broker.stop()
  await proxy.close()
})

const outages: readonly ProxyMode[] = ['refuse', 'hang']

test('When the broker is unreachable and silent for a while, then messages that were written meanwhile are delivered when it is available again', async () => {
  const model = newModel()
  const { received, consumers } = createCollector()
  const proxy = await startTcpProxy(url)
  // Missed heartbeats tell that it is silent.
  const broker = await startBroker(`${proxy.url}?heartbeat=2`, newNamespace(), consumers)
  const relay = startOutboxRelay({ model, broker, logger })
  const write = async (): Promise<string> => {
    const message = deletedUpload()
    await model.create({ ...newOutbox(message) })
    relay.wakeRelay()
    return message.data.uploadId
  }
  const writeLeased = async (): Promise<string> => {
    const message = deletedUpload()
    await insertLeased(model, relay, message)
    return message.data.uploadId
  }
  const written = [await write()]
  const delivery = () => eventually(() => new Set(uploadIdsOf(received)).size === written.length, 'delivery')
  await delivery()
  for (const outage of outages) {
    proxy.setMode(outage)
    written.push(await write(), await writeLeased())
    await eventually(() => !broker.isConnected(), `noticing the outage ${outage}`)
    written.push(await write(), await writeLeased())
    proxy.setMode('pass')
    written.push(await write(), await writeLeased())
    await delivery()
    expect(new Set(uploadIdsOf(received))).toEqual(new Set(written))
  }
  await relay.stop()
  await broker.stop()
  await proxy.close()
})

test('When a message of a request cannot be published, then the log line does not carry the ids of the request', async () => {
  const model = newModel()
  const broker = await startBroker(url, newNamespace())
  const warnings: { text: unknown; context: object }[] = []
  const warn = (_: object, text: string) => warnings.push({ text, context: currentContext() })
  const relay = startOutboxRelay({ model, broker, logger: { ...logger, warn } as unknown as typeof logger })
  const message = deletedUpload()
  const { _id, outboxVersion } = await model.create({ ...leasedOutbox(message) })
  // It cannot be written as JSON.
  const broken = { ...message, data: { ...message.data, size: 1n } }
  withRequestId('the-request', () =>
    relay.publishLeased({ id: _id, version: outboxVersion, messages: [broken] }),
  )
  await eventually(() => warnings.length > 0, 'the warning')
  expect(warnings[0]).toEqual({ text: 'failed to publish messages, will retry', context: {} })
  await relay.stop()
  await broker.stop()
})

test('When a message waits to be published, then gauges show it and its age, until it is published', async () => {
  const model = newModel()
  const registry = new Registry()
  const stopMonitor = monitorOutbox(model, { registry, logger, intervalMs: 100 })
  const read = async (name: string): Promise<number | undefined> =>
    (await (registry.getSingleMetric(name) as Gauge).get()).values[0]?.value
  const message = deletedUpload()
  const time = new Date(Date.parse(message.time) - 60_000).toISOString()
  await model.create({ ...newOutbox({ ...message, time }) })
  await eventually(async () => (await read('outbox_pending')) === 1, 'the message in the gauge')
  expect(await read('outbox_oldest_age_seconds')).toBeGreaterThanOrEqual(60)
  const broker = await startBroker(url, newNamespace())
  const relay = startOutboxRelay({ model, broker, logger })
  await eventually(async () => (await read('outbox_pending')) === 0, 'an empty outbox')
  expect(await read('outbox_oldest_age_seconds')).toBe(0)
  await relay.stop()
  await broker.stop()
  await stopMonitor()
})
