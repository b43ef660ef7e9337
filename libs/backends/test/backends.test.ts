import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { startBackends, type Backends } from '../src/index.ts'
import { isFree } from '../src/ports.ts'
import {
  hasDocument,
  keepBlob,
  keepDocument,
  keepMessage,
  pingRedis,
  raceForDocument,
  readBlob,
  takeMessage,
} from './clients.ts'

// The first run on a machine may have to install or build.
jest.setTimeout(15 * 60_000)

// Backends of our own, even where the environment names others.
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

/** The processes and containers that run in a folder, as it records them. */
const recorded = async (kind: 'servers' | 'containers'): Promise<string[]> =>
  readdir(join(dataDir, 'run', kind)).catch(() => [])

const urls = () => [backends.mongo.url, backends.rabbitmq.url, backends.redis.url, backends.blob.url]
const ports = () => urls().map((url) => Number(/127\.0\.0\.1:(\d+)/.exec(url)?.[1]))

test('When all four are started, then each one answers its client', async () => {
  const text = randomUUID()
  await Promise.all([
    keepDocument(backends.mongo.url, text),
    keepMessage(backends.rabbitmq.url, text),
    keepBlob(backends.blob.url, text),
  ])
  expect(await hasDocument(backends.mongo.url, text)).toBe(true)
  expect(await takeMessage(backends.rabbitmq.url)).toBe(text)
  expect(await readBlob(backends.blob.url, text)).toBe(text)
  expect(await pingRedis(backends.redis.url)).toBe('PONG')
})

test('When the broker is stopped and started, then its address and its durable data are the same', async () => {
  const text = randomUUID()
  const { url } = backends.rabbitmq
  await keepMessage(url, text)
  await backends.rabbitmq.stop()
  await expect(takeMessage(url)).rejects.toThrow('ECONNREFUSED')
  await backends.rabbitmq.start()
  expect(backends.rabbitmq.url).toBe(url)
  expect(await takeMessage(url)).toBe(text)
})

test('When MongoDB is killed, then start brings it back with what it had acknowledged', async () => {
  const text = randomUUID()
  await keepDocument(backends.mongo.url, text)
  backends.mongo.signal('SIGKILL')
  await backends.mongo.start()
  expect(await hasDocument(backends.mongo.url, text)).toBe(true)
})

test('When Redis is frozen, then it still stops when it is told to', async () => {
  backends.redis.signal('SIGSTOP')
  await backends.redis.stop()
  await backends.redis.start()
  expect(await pingRedis(backends.redis.url)).toBe('PONG')
})

test('When another run wants the same folder, then it is told who has it', async () => {
  await expect(start()).rejects.toThrow(`${dataDir} is in use by another run (process ${process.pid})`)
})

test('When all are stopped, then nothing is left, and the next run finds the data again', async () => {
  const text = randomUUID()
  await keepDocument(backends.mongo.url, text)
  await keepMessage(backends.rabbitmq.url, text)
  await keepBlob(backends.blob.url, text)
  expect([...(await recorded('servers')), ...(await recorded('containers'))].length).toBeGreaterThanOrEqual(4)
  expect(await Promise.all(ports().map(isFree))).toEqual([false, false, false, false])

  await backends.stop()
  expect([await recorded('servers'), await recorded('containers')]).toEqual([[], []])
  expect(await Promise.all(ports().map(isFree))).toEqual([true, true, true, true])
  await backends.stop()

  backends = await start()
  expect(await hasDocument(backends.mongo.url, text)).toBe(true)
  expect(await takeMessage(backends.rabbitmq.url)).toBe(text)
  expect(await readBlob(backends.blob.url, text)).toBe(text)
})

test('When 16 clients change one document at once, then one of them wins and no change is lost', async () => {
  expect(await raceForDocument(backends.mongo.url, 16)).toEqual({ winners: 1, count: 16 })
})
