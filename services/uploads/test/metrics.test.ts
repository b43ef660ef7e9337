import type { Event } from '@confetti/contracts'
import {
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  sendFiles,
  startTcpProxy,
  startTestSystem,
  testBackends,
  uniquePhoto,
  type TcpProxy,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let database: TcpProxy
let system: TestSystem
let event: Event

beforeAll(async () => {
  database = await startTcpProxy(testBackends().mongo)
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    backends: { mongo: database.url },
    environment: { uploads: { MEMORY_LIMIT_BYTES: String(328 * 1_048_576) } },
  })
  const admin = await newAdmin(system, system.url('auth'))
  event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
})
afterAll(async () => {
  await system.stop()
  await database.close()
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
const becomes = (series: string, value: number): Promise<boolean> =>
  eventually(async () => (await valueOf(series)) === value, series)

test.each([
  'uploads_copies_total{step="abandoned"}',
  'uploads_archive_downloads_total{kind="started",outcome="failed"}',
  'uploads_archive_downloads_total{kind="resumed",outcome="failed"}',
])('When nothing has been counted, then %s of an alert is zero', async (series) => {
  expect(await valueOf(series)).toBe(0)
})

test('When a photo is stored, then its phases and messages are measured', async () => {
  const sent = await sendFiles(system.url('uploads'), event._id, [
    { name: 'image.jpg', bytes: await uniquePhoto() },
  ])
  expect(sent.status).toBe(201)
  for (const phase of ['admit', 'receive', 'record'])
    expect(await valueOf(`uploads_phase_duration_seconds_count{phase="${phase}"}`)).toBe(1)
  expect(await valueOf('uploads_files_total{path="multipart",result="stored"}')).toBe(1)
  expect(await valueOf('uploads_bytes_in_flight_limit')).toBe(72 * 1_048_576)
  await becomes('messaging_published_total{type="upload.completed.v1"}', 1)
  expect(await valueOf('messaging_broker_connected')).toBe(1)
  await becomes('messaging_handled_total{queue="uploads.event-created",outcome="handled"}', 1)
  expect(await valueOf('messaging_message_age_seconds_count{queue="uploads.event-created"}')).toBe(1)
})

test('When the database is unreachable or silent, then the metrics can still be read', async () => {
  const isReady = async () => (await fetch(`${system.url('uploads')}/readyz`)).ok
  for (const outage of ['hang', 'refuse'] as const) {
    database.setMode(outage)
    // The service itself has noticed: its readiness asks the database.
    await eventually(async () => !(await isReady()), `noticing the outage ${outage}`)
    expect(await valueOf('outbox_pending')).toBe(0)
    expect(await valueOf('outbox_oldest_age_seconds')).toBe(0)
    database.setMode('pass')
    await eventually(isReady, 'readiness')
  }
})
