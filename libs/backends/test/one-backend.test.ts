import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { startBackend, startBackends } from '../src/index.ts'
import { allocatePort, isPortFree } from '../src/ports.ts'
import { waitUntil } from '../src/wait-until.ts'
import { pingRedis } from './clients.ts'

let dataDir: string
let reportedLines: string[]
const options = (env: NodeJS.ProcessEnv = {}) => ({
  dataDir,
  report: (line: string) => void reportedLines.push(line),
  env,
})

const spawnRun = (env: NodeJS.ProcessEnv = {}, folder = dataDir) => {
  const script = fileURLToPath(new URL('./start-redis.ts', import.meta.url))
  return spawn(process.execPath, [script, folder], { env: { ...process.env, ...env } })
}

const silentServer = createServer()
let errorsWithSilentDocker: Promise<string>

// It waits 10 s for Docker, during the other tests.
beforeAll(async () => {
  silentServer.listen(0, '127.0.0.1')
  await once(silentServer, 'listening')
  const { port } = silentServer.address() as AddressInfo
  const environment = { CONFETTI_BACKENDS: 'docker', DOCKER_HOST: `tcp://127.0.0.1:${port}` }
  errorsWithSilentDocker = text(spawnRun(environment, join(tmpdir(), 'confetti-unused')).stderr)
})
afterAll(() => void silentServer.close())

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'confetti-backends-'))
  reportedLines = []
})

afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('When the environment has an address, then it is used as is and cannot be started or stopped', async () => {
  const external = await startBackend('redis', options({ REDIS_URL: 'redis://elsewhere:1' }))
  expect(external.url).toBe('redis://elsewhere:1')
  expect(reportedLines).toEqual(['Redis: external server from REDIS_URL'])
  await expect(external.stop()).rejects.toThrow('cannot be started, stopped or signalled')
  await expect(external.start()).rejects.toThrow('cannot be started, stopped or signalled')
})

test('When all servers are external, then stop() resolves without stopping them', async () => {
  const env = { MONGO_URL: 'm', RABBITMQ_URL: 'r', REDIS_URL: 'c', BLOB_CONNECTION_STRING: 'b' }
  const { mongo, rabbitmq, redis, blob, stop } = await startBackends(options(env))
  expect([mongo, rabbitmq, redis, blob].map(({ url }) => url)).toEqual(['m', 'r', 'c', 'b'])
  await stop()
})

test('When the port for blob storage is in use, then the error names it and no process is left', async () => {
  const blobPort = await allocatePort()
  const otherServer = createServer().listen(blobPort, '127.0.0.1')
  await once(otherServer, 'listening')
  const env = { MONGO_URL: 'm', RABBITMQ_URL: 'r' }
  await expect(startBackends({ ...options(env), blobPort })).rejects.toThrow(
    `Port ${blobPort} for blob storage is in use`,
  )
  otherServer.close()

  const blob = await startBackend('blob', { ...options(), blobPort })
  expect(blob.url).toContain(`http://127.0.0.1:${blobPort}/devstoreaccount1`)
  await blob.stop()
  expect(await isPortFree(blobPort)).toBe(true)
})

test('When one backend is stopped and started, then it responds at the same address', async () => {
  const redis = await startBackend('redis', options())
  await redis.stop()
  await redis.start()
  expect(await pingRedis(redis.url)).toBe('PONG')
  await redis.stop()
})

test('When CONFETTI_BACKENDS has an unknown value, then the error lists the allowed values', async () => {
  const stderr = await text(spawnRun({ CONFETTI_BACKENDS: 'podman' }).stderr)
  expect(stderr).toContain('Error: CONFETTI_BACKENDS is "podman". Set it to "docker", or leave it unset.')
})

test('When a run is killed, then its servers stop, too', async () => {
  const run = spawnRun()
  const [url] = (await once(run.stdout, 'data')) as [Buffer]
  const port = Number(new URL(url.toString().trim()).port)
  expect(await pingRedis(url.toString().trim())).toBe('PONG')
  run.kill('SIGKILL')
  expect(await waitUntil(() => isPortFree(port), 20)).toBe(true)
})

test('When Docker is required but does not respond, then no other provider is tried', async () => {
  expect(await errorsWithSilentDocker).toContain(
    'Error: CONFETTI_BACKENDS=docker requires Docker: Docker does not respond.',
  )
})
