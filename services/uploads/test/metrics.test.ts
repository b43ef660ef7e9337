import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend, type Backend } from '@confetti/backends'
import type { Event } from '@confetti/contracts'
import {
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  sendFiles,
  startTestSystem,
  uniquePhoto,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let folder: string
let rabbit: Backend
let mongo: Backend
let system: TestSystem
let event: Event

// A separate broker and database, because these tests stop them.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-metrics-'))
  const start = (name: 'rabbitmq' | 'mongo') =>
    startBackend(name, { dataDir: join(folder, name), report: () => {}, env: {} })
  rabbit = await start('rabbitmq')
  mongo = await start('mongo')
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    backends: { rabbitmq: rabbit.url, mongo: mongo.url },
    environment: { uploads: { MEMORY_LIMIT_BYTES: String(328 * 1_048_576) } },
  })
  const admin = await newAdmin(system, system.url('auth'))
  event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
})
afterAll(async () => {
  await system.stop()
  await mongo.stop()
  await rabbit.stop()
  await rm(folder, { recursive: true })
})

const scrape = async (): Promise<string> => {
  const response = await fetch(system.replicas('uploads')[0]?.metricsUrl ?? '')
  expect(response.status).toBe(200)
  return response.text()
}
/** The value of a series, named as Prometheus does without the service; undefined if there is none. */
const valueOf = async (series: string): Promise<number | undefined> => {
  const line = (await scrape())
    .replaceAll(/service="uploads",|,service="uploads"|{service="uploads"}/g, '')
    .split('\n')
    .find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
const becomes = (series: string, value: number | ((value: number) => boolean)): Promise<boolean> =>
  eventually(async () => {
    const now = await valueOf(series)
    return typeof value === 'number' ? now === value : now !== undefined && value(now)
  }, series)

const send = async (): Promise<void> => {
  const sent = await sendFiles(system.url('uploads'), event._id, [
    { name: 'image.jpg', bytes: await uniquePhoto() },
  ])
  expect(sent.status).toBe(201)
}

test('When a photo is stored, then its phases and messages are measured', async () => {
  await send()
  for (const phase of ['admit', 'receive', 'commit', 'record'])
    expect(await valueOf(`uploads_phase_duration_seconds_count{phase="${phase}"}`)).toBe(1)
  expect(await valueOf('uploads_files_total{path="multipart",result="stored"}')).toBe(1)
  expect(await valueOf('uploads_bytes_in_flight_limit')).toBe(72 * 1_048_576)
  await becomes('messaging_published_total{type="upload.completed.v1"}', 1)
  expect(await valueOf('messaging_broker_connected')).toBe(1)
  await becomes('messaging_handled_total{queue="uploads.event-created",outcome="handled"}', 1)
  expect(await valueOf('messaging_message_age_seconds_count{queue="uploads.event-created"}')).toBe(1)
  await becomes('messaging_queue_messages{queue="uploads.event-created"}', 0)
  await becomes('messaging_dead_letters{queue="uploads.event-created"}', 0)
})

test('When the broker is unavailable, then the metrics show the pending messages and their age until it is back', async () => {
  await rabbit.stop()
  await becomes('messaging_broker_connected', 0)
  await send()
  await send()
  await becomes('outbox_pending', 2)
  await becomes('outbox_oldest_age_seconds', (age) => age > 0)
  await rabbit.start()
  await becomes('messaging_broker_connected', 1)
  await becomes('outbox_pending', 0)
  await becomes('outbox_oldest_age_seconds', 0)
  await becomes('messaging_published_total{type="upload.completed.v1"}', 3)
})

test('When the database is unavailable or frozen, then the metrics can still be read', async () => {
  mongo.signal('SIGSTOP')
  // The service itself has noticed: its readiness asks the database.
  await eventually(async () => (await fetch(`${system.url('uploads')}/readyz`)).status === 503)
  expect(await valueOf('outbox_pending')).toBe(0)
  mongo.signal('SIGCONT')
  await mongo.stop()
  expect(await valueOf('messaging_broker_connected')).toBe(1)
  await mongo.start()
  await eventually(async () => (await fetch(`${system.url('uploads')}/readyz`)).status === 200)
})
