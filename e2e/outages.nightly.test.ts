import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend, type Backend } from '@confetti/backends'
import { eventually, readSample, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { download, listUploads, startHarness, type Harness } from './harness.ts'
import { sha256 } from './sha256.ts'
import { simulateGuests, uploadWithRetry, type AcknowledgedUpload } from './simulated-guests.ts'

let folder: string
let rabbitmq: Backend
let harness: Harness

// These tests stop the broker, so they have one of their own. Uploads and media have two replicas.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-outages-'))
  rabbitmq = await startBackend('rabbitmq', { dataDir: folder, report: () => {}, env: {} })
  harness = await startHarness({
    replicas: { uploads: 2, media: 2 },
    processes: ['uploads', 'media'],
    backends: { rabbitmq: rabbitmq.url },
    environment: { uploads: { PROCESSING_TIMEOUT_MS: '60000', SWEEP_INTERVAL_MS: '10000' } },
  })
})
afterAll(async () => {
  await harness.system.stop()
  await rabbitmq.stop()
  await rm(folder, { recursive: true })
})

/** Expects that every acknowledged photo is listed once, becomes ready, and has the bytes that were sent. */
const expectNothingIsLost = async (acknowledged: readonly AcknowledgedUpload[]): Promise<void> => {
  const ids = new Set(acknowledged.map(({ uploadId }) => uploadId))
  expect(ids.size).toBe(acknowledged.length)
  const uploads = await eventually(
    async () => {
      const listed = (await listUploads(harness)).filter(({ _id }) => ids.has(_id))
      return listed.length === ids.size && listed.every(({ status }) => status === 'ready') && listed
    },
    'processing of all acknowledged photos',
    180_000,
  )
  const hashes = new Map(acknowledged.map((each) => [each.uploadId, each.sha256]))
  for (const upload of uploads) expect(sha256(await download(upload.url))).toBe(hashes.get(upload._id))
}

test('When uploads and media have two replicas, then no photo is lost and identical uploads are stored once', async () => {
  const acknowledged = await simulateGuests(harness, 10, 4)
  await expectNothingIsLost(acknowledged)
  const bytes = await uniquePhoto()
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      sendFiles(harness.api, harness.event._id, [{ name: 'same.jpg', bytes }]),
    ),
  )
  expect(new Set(responses.map(({ body }) => body.uploads[0]._id)).size).toBe(1)
}, 240_000)

test('When the broker is restarted while guests upload, then all uploads succeed and nothing is lost', async () => {
  const acknowledged: AcknowledgedUpload[] = []
  const uploadPhotos = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const bytes = await uniquePhoto()
      const { status, body } = await sendFiles(harness.api, harness.event._id, [{ name: 'image.jpg', bytes }])
      expect(status).toBe(201)
      acknowledged.push({ uploadId: body.uploads[0]._id as string, sha256: sha256(bytes) })
    }
  }
  await uploadPhotos(3)
  const stopping = rabbitmq.stop()
  await uploadPhotos(5)
  await stopping
  await uploadPhotos(5)
  for (const { url } of harness.system.replicas('uploads'))
    await eventually(async () => (await fetch(`${url}/readyz`)).ok, 'readiness without the broker')
  const starting = rabbitmq.start()
  await uploadPhotos(5)
  await starting
  await uploadPhotos(2)
  await expectNothingIsLost(acknowledged)
}, 300_000)

test('When the media workers are killed while they process files, then no job is lost', async () => {
  const heic = await readSample('iphone-13.heic')
  const acknowledged: AcknowledgedUpload[] = []
  for (let n = 0; n < 3; n += 1) {
    const bytes = Buffer.concat([heic, crypto.getRandomValues(Buffer.alloc(8))])
    const { body } = await sendFiles(harness.api, harness.event._id, [{ name: 'IMG.HEIC', bytes }])
    acknowledged.push({ uploadId: body.uploads[0]._id as string, sha256: sha256(bytes) })
  }
  const workers = harness.system.replicas('media')
  await Promise.all(workers.map((worker) => worker.stop('SIGKILL')))
  acknowledged.push(...(await simulateGuests(harness, 2, 2)))
  await Promise.all(workers.map((worker) => worker.restart()))
  await expectNothingIsLost(acknowledged)
}, 300_000)

test('When an uploads replica is killed during a burst and restarted, then no acknowledged photo is lost', async () => {
  const [replica] = harness.system.replicas('uploads')
  const guests = simulateGuests(harness, 20, 5)
  await uploadWithRetry(harness, 'Table 99', await uniquePhoto())
  await replica?.stop('SIGKILL')
  await uploadWithRetry(harness, 'Table 99', await uniquePhoto())
  await replica?.restart()
  await expectNothingIsLost(await guests)
}, 300_000)

test('When the events service is unavailable, then its routes return 503 with Retry-After and uploads still succeed', async () => {
  const [events] = harness.system.replicas('events')
  await events?.stop()
  const unavailable = await fetch(`${harness.api}/api/events/${harness.event._id}`)
  expect(unavailable.status).toBe(503)
  expect(Number(unavailable.headers.get('retry-after'))).toBeGreaterThan(0)
  // The uploads service has a copy of the event.
  expect(
    (await sendFiles(harness.api, harness.event._id, [{ name: 'a.jpg', bytes: await uniquePhoto() }])).status,
  ).toBe(201)
  await events?.restart()
  await eventually(async () => (await fetch(`${harness.api}/api/events/${harness.event._id}`)).status === 200)
})
