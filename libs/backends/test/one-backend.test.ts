import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { startBackend, startBackends } from '../src/index.ts'
import { freePort, isFree } from '../src/ports.ts'
import { until } from '../src/until.ts'
import { pingRedis } from './clients.ts'

jest.setTimeout(10 * 60_000)

let dataDir: string
let lines: string[]
const options = (env: NodeJS.ProcessEnv = {}) => ({
  dataDir,
  report: (line: string) => void lines.push(line),
  env,
})

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'confetti-backends-'))
  lines = []
})

afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('When the environment gives an address, then it is taken as it is and is not ours to stop', async () => {
  const given = await startBackend('redis', options({ REDIS_URL: 'redis://elsewhere:1' }))
  expect(given.url).toBe('redis://elsewhere:1')
  expect(lines).toEqual(['Redis: given by REDIS_URL'])
  await expect(given.stop()).rejects.toThrow('not ours to start, stop or signal')
  await expect(given.start()).rejects.toThrow('not ours to start, stop or signal')
})

test('When all addresses are given, then stopping all leaves them alone', async () => {
  const env = { MONGO_URL: 'm', RABBITMQ_URL: 'r', REDIS_URL: 'c', BLOB_CONNECTION_STRING: 'b' }
  const { mongo, rabbitmq, redis, blob, stop } = await startBackends(options(env))
  expect([mongo, rabbitmq, redis, blob].map(({ url }) => url)).toEqual(['m', 'r', 'c', 'b'])
  await stop()
})

test('When the port for blob storage is taken, then the error names it and nothing is left', async () => {
  const blobPort = await freePort()
  const squatter = createServer().listen(blobPort, '127.0.0.1')
  await once(squatter, 'listening')
  const env = { MONGO_URL: 'm', RABBITMQ_URL: 'r' }
  await expect(startBackends({ ...options(env), blobPort })).rejects.toThrow(
    `Port ${blobPort} for blob storage is in use`,
  )
  squatter.close()

  const blob = await startBackend('blob', { ...options(), blobPort })
  expect(blob.url).toContain(`http://127.0.0.1:${blobPort}/devstoreaccount1`)
  await blob.stop()
  expect(await isFree(blobPort)).toBe(true)
})

test('When one alone is stopped and started, then it answers at the same address', async () => {
  const redis = await startBackend('redis', options())
  await redis.stop()
  await redis.start()
  expect(await pingRedis(redis.url)).toBe('PONG')
  await redis.stop()
})

const startRun = (env: NodeJS.ProcessEnv = {}) => {
  const script = fileURLToPath(new URL('./killed-run.ts', import.meta.url))
  return spawn(process.execPath, [script, dataDir], { env: { ...process.env, ...env } })
}

test('When containers are asked for and Docker does not answer, then nothing else is tried', async () => {
  const mute = createServer().listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { port } = mute.address() as AddressInfo
  const run = startRun({ CONFETTI_BACKENDS: 'docker', DOCKER_HOST: `tcp://127.0.0.1:${port}` })
  const said = await text(run.stderr)
  mute.close()
  expect(said).toContain('Error: CONFETTI_BACKENDS=docker asks for containers alone: Docker does not answer.')
})

test('When another kind of servers is asked for than there is, then the error says what may be', async () => {
  const said = await text(startRun({ CONFETTI_BACKENDS: 'podman' }).stderr)
  expect(said).toContain('Error: CONFETTI_BACKENDS is "podman". It may be "docker", or not set.')
})

test('When a run is killed, then its servers end too', async () => {
  const run = startRun()
  const [url] = (await once(run.stdout, 'data')) as [Buffer]
  const port = Number(new URL(url.toString().trim()).port)
  expect(await pingRedis(url.toString().trim())).toBe('PONG')
  run.kill('SIGKILL')
  expect(await until(() => isFree(port), 20)).toBe(true)
})
