import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend, type Backend } from '@confetti/backends'
import { eventually, sample, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { guestsSend, sendUntilKept, type Acknowledged } from './guests.ts'
import { sha256 } from './sha256.ts'
import { download, listUploads, startStand, type Stand } from './stand.ts'

let folder: string
let rabbit: Backend
let stand: Stand

// A broker of our own, as these tests stop it; and two of everything that guests' photos go through.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-outages-'))
  rabbit = await startBackend('rabbitmq', { dataDir: folder, report: () => {}, env: {} })
  stand = await startStand({
    replicas: { uploads: 2, media: 2 },
    backends: { rabbitmq: rabbit.url },
    environment: { uploads: { PROCESSING_PATIENCE_MS: '60000', SWEEP_INTERVAL_MS: '10000' } },
  })
}, 180_000)
afterAll(async () => {
  await stand.system.stop()
  await rabbit.stop()
  await rm(folder, { recursive: true })
}, 60_000)

/** Every acknowledged photo is listed, once, ready, and has the bytes that were sent. */
const nothingIsLost = async (acknowledged: readonly Acknowledged[]): Promise<void> => {
  const ids = new Set(acknowledged.map(({ uploadId }) => uploadId))
  expect(ids.size).toBe(acknowledged.length)
  const uploads = await eventually(
    async () => {
      const listed = (await listUploads(stand)).filter(({ _id }) => ids.has(_id))
      return listed.length === ids.size && listed.every(({ status }) => status === 'ready') && listed
    },
    'every acknowledged photo being ready',
    180_000,
  )
  const hashes = new Map(acknowledged.map((each) => [each.uploadId, each.sha256]))
  for (const upload of uploads) expect(sha256(await download(upload.url))).toBe(hashes.get(upload._id))
}

test('When two replicas of uploads and media stand behind the gateway, then they work as one', async () => {
  const acknowledged = await guestsSend(stand, 10, 4)
  await nothingIsLost(acknowledged)
  const bytes = await uniquePhoto()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => sendFiles(stand.api, stand.event._id, [{ name: 'same.jpg', bytes }])),
  )
  expect(new Set(answers.map(({ body }) => body.uploads[0]._id)).size).toBe(1)
}, 240_000)

test('When the broker is stopped and started while guests upload, then uploads go on and nothing is lost', async () => {
  const acknowledged: Acknowledged[] = []
  const send = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const bytes = await uniquePhoto()
      const reply = await sendFiles(stand.api, stand.event._id, [{ name: 'image.jpg', bytes }])
      expect(reply.status).toBe(201)
      acknowledged.push({ uploadId: reply.body.uploads[0]._id as string, sha256: sha256(bytes) })
    }
  }
  await send(3)
  const stopping = rabbit.stop()
  await send(5)
  await stopping
  await send(5)
  for (const { url } of stand.system.replicas('uploads'))
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const starting = rabbit.start()
  await send(5)
  await starting
  await send(2)
  await nothingIsLost(acknowledged)
}, 300_000)

test('When a media worker is killed in the middle of its work, then no job is lost', async () => {
  const heic = await sample('iphone-13.heic')
  const acknowledged: Acknowledged[] = []
  for (let n = 0; n < 3; n += 1) {
    const bytes = Buffer.concat([heic, crypto.getRandomValues(Buffer.alloc(8))])
    const reply = await sendFiles(stand.api, stand.event._id, [{ name: 'IMG.HEIC', bytes }])
    acknowledged.push({ uploadId: reply.body.uploads[0]._id as string, sha256: sha256(bytes) })
  }
  const workers = stand.system.replicas('media')
  await Promise.all(workers.map((worker) => worker.stop('SIGKILL')))
  acknowledged.push(...(await guestsSend(stand, 2, 2)))
  await Promise.all(workers.map((worker) => worker.restart()))
  await nothingIsLost(acknowledged)
}, 300_000)

test('When an uploads replica is killed in a burst and comes back, then no acknowledged photo is lost', async () => {
  const [victim] = stand.system.replicas('uploads')
  const sending = guestsSend(stand, 20, 5)
  await sendUntilKept(stand, 'Table 99', await uniquePhoto())
  await victim?.stop('SIGKILL')
  await sendUntilKept(stand, 'Table 99', await uniquePhoto())
  await victim?.restart()
  await nothingIsLost(await sending)
}, 300_000)

test('When events or uploads is away, then the caller is told so at once and may come again', async () => {
  const [events] = stand.system.replicas('events')
  await events?.stop()
  const gone = await fetch(`${stand.api}/api/events/${stand.event._id}`)
  expect(gone.status).toBe(503)
  expect(Number(gone.headers.get('retry-after'))).toBeGreaterThan(0)
  // What is known of the event suffices for its guests.
  expect(
    (await sendFiles(stand.api, stand.event._id, [{ name: 'a.jpg', bytes: await uniquePhoto() }])).status,
  ).toBe(201)
  await events?.restart()
  await eventually(async () => (await fetch(`${stand.api}/api/events/${stand.event._id}`)).status === 200)
}, 120_000)
