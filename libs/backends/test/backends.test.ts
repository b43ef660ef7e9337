import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startBackends, type Backends } from '../src/index.ts'
import { isPortFree } from '../src/ports.ts'
import {
  consumeMessage,
  downloadBlob,
  hasDocument,
  insertDocument,
  pingRedis,
  publishMessage,
  updateConcurrently,
  uploadBlob,
} from './clients.ts'

// Ignores external servers in the environment: these tests stop and kill the backends.
const { MONGO_URL: _m, RABBITMQ_URL: _r, REDIS_URL: _s, BLOB_CONNECTION_STRING: _b, ...env } = process.env

let dataDir: string
let backends: Backends
const start = () => startBackends({ dataDir, report: () => {}, env })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'confetti-backends-'))
  backends = await start()
})

afterAll(async () => {
  await backends.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Lists the records of running processes or containers in the data directory. */
const listRecords = async (type: 'servers' | 'containers'): Promise<string[]> =>
  readdir(join(dataDir, 'run', type)).catch(() => [])

const urls = () => [backends.mongo.url, backends.rabbitmq.url, backends.redis.url, backends.blob.url]
const ports = () => urls().map((url) => Number(/127\.0\.0\.1:(\d+)/.exec(url)?.[1]))

test('When all four backends are started, then each one responds to its client', async () => {
  const text = randomUUID()
  await Promise.all([
    insertDocument(backends.mongo.url, text),
    publishMessage(backends.rabbitmq.url, text),
    uploadBlob(backends.blob.url, text),
  ])
  expect(await hasDocument(backends.mongo.url, text)).toBe(true)
  expect(await consumeMessage(backends.rabbitmq.url)).toBe(text)
  expect(await downloadBlob(backends.blob.url, text)).toBe(text)
  expect(await pingRedis(backends.redis.url)).toBe('PONG')
})

test('When MongoDB is killed and started again, then acknowledged writes are still there', async () => {
  const text = randomUUID()
  await insertDocument(backends.mongo.url, text)
  backends.mongo.signal('SIGKILL')
  await backends.mongo.start()
  expect(await hasDocument(backends.mongo.url, text)).toBe(true)
})

test('When Redis is paused by SIGSTOP, then stop() still stops it', async () => {
  backends.redis.signal('SIGSTOP')
  await backends.redis.stop()
  await backends.redis.start()
  expect(await pingRedis(backends.redis.url)).toBe('PONG')
})

test('When the data directory is in use, then a second run fails and names the owner', async () => {
  await expect(start()).rejects.toThrow(`${dataDir} is in use by another run (process ${process.pid})`)
})

test('When all backends are stopped, then no process is left, and the next run finds the data', async () => {
  const text = randomUUID()
  await insertDocument(backends.mongo.url, text)
  await publishMessage(backends.rabbitmq.url, text)
  await uploadBlob(backends.blob.url, text)
  expect(
    [...(await listRecords('servers')), ...(await listRecords('containers'))].length,
  ).toBeGreaterThanOrEqual(4)
  expect(await Promise.all(ports().map(isPortFree))).toEqual([false, false, false, false])

  await backends.stop()
  expect([await listRecords('servers'), await listRecords('containers')]).toEqual([[], []])
  expect(await Promise.all(ports().map(isPortFree))).toEqual([true, true, true, true])
  await backends.stop()

  backends = await start()
  expect(await hasDocument(backends.mongo.url, text)).toBe(true)
  expect(await consumeMessage(backends.rabbitmq.url)).toBe(text)
  expect(await downloadBlob(backends.blob.url, text)).toBe(text)
})

test('When 16 clients update one document concurrently, then one claim wins and no update is lost', async () => {
  expect(await updateConcurrently(backends.mongo.url, 16)).toEqual({ claims: 1, count: 16 })
})
