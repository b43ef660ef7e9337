import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend, type Backend } from '@confetti/backends'
import type { Envelope } from '@confetti/contracts'
import {
  addToOutbox,
  consumer,
  heldOutbox,
  outboxPlugin,
  startOutboxRelay,
  withOutbox,
  type OutboxFields,
  type OutboxRelay,
} from '@confetti/messaging'
import { eventually, testBackends } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { Schema, type Connection } from 'mongoose'
import { deletedUpload, idsOf, logger, newId, newNamespace, startBroker } from './stand.ts'

let folder: string
let rabbit: Backend
let connection: Connection

// A broker of our own: these tests stop, kill and freeze it.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-outbox-'))
  rabbit = await startBackend('rabbitmq', { dataDir: folder, report: () => {}, env: {} })
  connection = await mongoose.createConnection(`${testBackends().mongo}/${newNamespace()}`).asPromise()
}, 120_000)

afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
  await rabbit.stop()
  await rm(folder, { recursive: true })
}, 60_000)

const newModel = () => {
  const schema = new Schema<OutboxFields>()
  outboxPlugin(schema)
  return connection.model<OutboxFields>(`Doc${newId()}`, schema)
}

const collector = () => {
  const got: Envelope<'upload.deleted.v1'>[] = []
  return {
    got,
    consumers: [consumer('media.upload-deleted', (fact) => Promise.resolve(void got.push(fact)))],
  }
}

test('When two replicas relay the same outboxes, then every fact is sent, and as a rule once', async () => {
  const model = newModel()
  const { got, consumers } = collector()
  const namespace = newNamespace()
  const brokers = await Promise.all([
    startBroker(rabbit.url, namespace, consumers),
    startBroker(rabbit.url, namespace),
  ])
  const facts = Array.from({ length: 100 }, () => deletedUpload())
  await model.insertMany(facts.map((fact) => ({ ...withOutbox(fact) })))
  const relays = brokers.map((broker) => startOutboxRelay({ model, broker, logger }))
  await eventually(() => new Set(idsOf(got)).size === facts.length)
  expect(got).toHaveLength(facts.length)
  await eventually(async () => (await model.countDocuments({ outboxPending: true })) === 0)
  await Promise.all(relays.map((relay) => relay.stop()))
  await Promise.all(brokers.map((broker) => broker.stop()))
})

test('When a fact is added while another is being sent, then both are sent', async () => {
  const model = newModel()
  const { got, consumers } = collector()
  const broker = await startBroker(rabbit.url, newNamespace(), consumers)
  const [first, second] = [deletedUpload(), deletedUpload()]
  const { _id } = await model.create({ ...withOutbox(first) })
  let added = false
  const relay = startOutboxRelay({
    model,
    broker: {
      ...broker,
      publish: async (message) => {
        await broker.publish(message)
        if (!added) await model.updateOne({ _id }, addToOutbox(second, {}))
        added = true
      },
    },
    logger,
  })
  await eventually(() => idsOf(got).includes(second.data.uploadId))
  expect(idsOf(got)).toContain(first.data.uploadId)
  await relay.stop()
  await broker.stop()
})

/** Inserts a document that has a fact to tell, and hands it to the relay of this process. */
const insertHeld = async (
  model: ReturnType<typeof newModel>,
  relay: OutboxRelay,
  fact: ReturnType<typeof deletedUpload>,
): Promise<void> => {
  const { _id, outboxVersion, outbox } = await model.create({ ...heldOutbox(fact) })
  relay.sendHeld({ id: _id, version: outboxVersion, messages: outbox })
}

test('When new documents are handed to the relay of their process, then each fact is sent once, although another relay looks', async () => {
  const model = newModel()
  const { got, consumers } = collector()
  const broker = await startBroker(rabbit.url, newNamespace(), consumers)
  const [relay, other] = [
    startOutboxRelay({ model, broker, logger }),
    startOutboxRelay({ model, broker, logger }),
  ]
  const facts = Array.from({ length: 50 }, () => deletedUpload())
  await Promise.all(
    facts.map(async (fact) => {
      await insertHeld(model, relay, fact)
      other.nudge()
    }),
  )
  await eventually(() => new Set(idsOf(got)).size === facts.length)
  await eventually(async () => (await model.countDocuments({ outboxPending: true })) === 0)
  expect(got).toHaveLength(facts.length)
  await Promise.all([relay.stop(), other.stop()])
  await broker.stop()
})

test('When a fact is added to a document that its process holds, then both are sent', async () => {
  const model = newModel()
  const { got, consumers } = collector()
  const broker = await startBroker(rabbit.url, newNamespace(), consumers)
  const relay = startOutboxRelay({ model, broker, logger })
  const [first, second] = [deletedUpload(), deletedUpload()]
  const { _id, outboxVersion, outbox } = await model.create({ ...heldOutbox(first) })
  await model.updateOne({ _id }, addToOutbox(second, {}))
  relay.sendHeld({ id: _id, version: outboxVersion, messages: outbox })
  await eventually(() => idsOf(got).includes(second.data.uploadId))
  expect(idsOf(got)).toContain(first.data.uploadId)
  await relay.stop()
  await broker.stop()
})

test('When the process dies that held a document, then another sends its fact once the hold is over', async () => {
  const model = newModel()
  const { got, consumers } = collector()
  const broker = await startBroker(rabbit.url, newNamespace(), consumers)
  const fact = deletedUpload()
  const { _id, outboxLeaseUntil } = await model.create({ ...heldOutbox(fact) })
  expect(outboxLeaseUntil.getTime()).toBeGreaterThan(Date.now())
  const relay = startOutboxRelay({ model, broker, logger })
  await model.updateOne({ _id }, { $set: { outboxLeaseUntil: new Date() } })
  await eventually(() => idsOf(got).includes(fact.data.uploadId))
  await relay.stop()
  await broker.stop()
})

test('When the broker confirms nothing, then a thousand facts wait for it, and others are refused at once', async () => {
  const broker = await startBroker(rabbit.url, newNamespace())
  rabbit.signal('SIGSTOP')
  const waiting = Promise.all(Array.from({ length: 1_000 }, () => broker.publish(deletedUpload())))
  try {
    await expect(broker.publish(deletedUpload())).rejects.toThrow('The broker confirms nothing')
  } finally {
    rabbit.signal('SIGCONT')
    await waiting
  }
  await broker.publish(deletedUpload())
  await broker.stop()
})

test.each<[string, (rabbit: Backend) => Promise<void>, (rabbit: Backend) => Promise<void>]>([
  ['stopped', (server) => server.stop(), (server) => server.start()],
  [
    'killed',
    async (server) => {
      // RabbitMQ 3.10 loses a quorum queue that is killed in the moment it is made: let it reach the disk.
      await server.stop()
      await server.start()
      server.signal('SIGKILL')
      await server.stop()
    },
    (server) => server.start(),
  ],
  [
    'frozen',
    (server) => {
      server.signal('SIGSTOP')
      return Promise.resolve()
    },
    (server) => {
      server.signal('SIGCONT')
      return Promise.resolve()
    },
  ],
])(
  'When the broker is %s for a while, then what was written meanwhile is delivered when it is back',
  async (_, take, giveBack) => {
    const model = newModel()
    const { got, consumers } = collector()
    const broker = await startBroker(rabbit.url, newNamespace(), consumers)
    const relay = startOutboxRelay({ model, broker, logger })
    const write = async (): Promise<string> => {
      const fact = deletedUpload()
      await model.create({ ...withOutbox(fact) })
      relay.nudge()
      return fact.data.uploadId
    }
    const writeHeld = async (): Promise<string> => {
      const fact = deletedUpload()
      await insertHeld(model, relay, fact)
      return fact.data.uploadId
    }
    const written = [await write()]
    await eventually(() => idsOf(got).length === 1)
    await take(rabbit)
    written.push(await write(), await writeHeld())
    await eventually(() => !broker.connected(), 'noticing that the broker is away', 120_000)
    written.push(await write(), await writeHeld())
    await giveBack(rabbit)
    written.push(await write(), await writeHeld())
    await eventually(() => new Set(idsOf(got)).size === written.length, 'delivery', 120_000)
    expect(new Set(idsOf(got))).toEqual(new Set(written))
    await relay.stop()
    await broker.stop()
  },
  300_000,
)
