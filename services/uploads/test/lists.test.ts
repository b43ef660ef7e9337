import { randomUUID } from 'node:crypto'
import { BlobServiceClient } from '@azure/storage-blob'
import {
  DECODER_VERSION,
  deleteUpload,
  listEventUploads,
  listMyEventUploads,
  setUploadsVisibility,
  type Envelope,
  type MessageData,
  type MessageType,
  type Upload,
} from '@confetti/contracts'
import {
  call,
  eventually,
  recordMessages,
  newAdmin,
  newEvent,
  newOrganiser,
  readGauge,
  sendFiles,
  startTestSystem,
  uniquePhoto,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
let messages: RecordedMessages
let url: string
let admin: Account
let organiser: Account

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    environment: {
      uploads: {
        SWEEP_INTERVAL_MS: '500',
        PROCESSING_TIMEOUT_MS: '1500',
        MAX_UPLOAD_DURATION_MS: '60000',
        ORPHAN_AGE_MS: '600000',
        ORPHAN_QUARANTINE_MS: '0',
        SWEEP_ORPHANS_LIMIT: '3',
      },
    },
  })
  messages = await recordMessages(system)
  url = system.url('uploads')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
})

afterAll(async () => {
  await messages.close()
  await system.stop()
})

const newEnvelope = <T extends MessageType>(type: T, data: MessageData<T>): Envelope => ({
  specversion: '1.0',
  id: randomUUID(),
  type,
  source: '/services/media',
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  data,
})

const eventWithUploads = async (count: number): Promise<{ eventId: string; uploads: Upload[] }> => {
  const event = await newEvent(system.url('events'), admin, organiser)
  for (let n = 0; n < count; n += 1)
    await sendFiles(url, event._id, [{ name: `${n}.jpg`, bytes: await uniquePhoto() }])
  return { eventId: event._id, uploads: await list(event._id) }
}

const list = async (eventId: string): Promise<Upload[]> => {
  const { body } = await call(url, listEventUploads, { token: admin.token, params: { eventId } })
  return body.uploads as Upload[]
}

/** The size of the original behind an upload's link, in bytes. */
const sizeOfOriginal = async (upload: Upload | undefined): Promise<number> =>
  (await (await fetch(upload?.url ?? '')).bytes()).length

test('When a list is read page by page, then it contains each upload once, newest first', async () => {
  const { eventId, uploads } = await eventWithUploads(5)
  const paged: Upload[] = []
  let after: string | undefined
  do {
    const { body } = await call(url, listMyEventUploads, {
      token: organiser.token,
      params: { eventId },
      query: { limit: '2', ...(after && { after }) },
    })
    paged.push(...(body.uploads as Upload[]))
    after = body.nextCursor as string | undefined
  } while (after)
  expect(paged.map(({ _id }) => _id)).toEqual(uploads.map(({ _id }) => _id))
  expect(paged.map(({ originalName }) => originalName)).toEqual(['4.jpg', '3.jpg', '2.jpg', '1.jpg', '0.jpg'])
})

test('When the first page of a list is requested, then it has the total of the event, without deleted uploads', async () => {
  const { eventId, uploads } = await eventWithUploads(3)
  await sendFiles(url, eventId, [{ name: 'other.jpg', bytes: await uniquePhoto() }], 'Another guest')
  const remove = { token: admin.token, params: { uploadId: uploads[0]?._id ?? '' } }
  expect((await call(url, deleteUpload, remove)).status).toBe(200)
  const listed = await list(eventId)
  const change = await call(url, setUploadsVisibility, {
    token: admin.token,
    params: { eventId },
    body: { uploadIds: [listed[1]?._id ?? ''], visibility: 'pending' },
  })
  expect(change.status).toBe(200)
  const bytes = listed.reduce((sum, { size }) => sum + size, 0)
  const total = { files: 3, guests: 2, bytes, waiting: 1 }

  const lists = [
    { contract: listMyEventUploads, token: organiser.token },
    { contract: listEventUploads, token: admin.token },
  ]
  for (const { contract, token } of lists) {
    const page = (query: Record<string, string>) => call(url, contract, { token, params: { eventId }, query })
    const first = await page({ limit: '1' })
    expect(first.body).toMatchObject({ uploads: [{ _id: listed[0]?._id }], total })
    expect((await page({})).body.total).toEqual(total)
    const next = await page({ limit: '1', after: first.body.nextCursor as string })
    expect(next.body).not.toHaveProperty('total')
  }
})

test.each([{ limit: '0' }, { limit: '1001' }, { limit: 'many' }, { after: 'nonsense' }, { after: '' }])(
  'When a page is requested with %j, then it is rejected, unless the cursor is empty',
  async (query) => {
    const { eventId } = await eventWithUploads(0)
    const { status } = await call(url, listEventUploads, { token: admin.token, params: { eventId }, query })
    expect(status).toBe('after' in query && query.after === '' ? 200 : 400)
  },
)

test('When the caller has no permission, then the request is rejected', async () => {
  const { eventId, uploads } = await eventWithUploads(1)
  const uploadId = uploads[0]?._id ?? ''
  const other = await newOrganiser(system.url('auth'))
  const statusOf = async (...args: Parameters<typeof call>) => (await call(...args)).status

  expect(await statusOf(url, listEventUploads, { params: { eventId } })).toBe(401)
  expect(await statusOf(url, listEventUploads, { token: organiser.token, params: { eventId } })).toBe(403)
  expect(await statusOf(url, listMyEventUploads, { params: { eventId } })).toBe(401)
  expect(await statusOf(url, listMyEventUploads, { token: admin.token, params: { eventId } })).toBe(403)
  expect(await statusOf(url, listMyEventUploads, { token: other.token, params: { eventId } })).toBe(404)
  expect(await statusOf(url, deleteUpload, { params: { uploadId } })).toBe(401)
  expect(await statusOf(url, deleteUpload, { token: organiser.token, params: { uploadId } })).toBe(403)
  expect(
    await statusOf(url, listEventUploads, { token: admin.token, params: { eventId: 'b'.repeat(24) } }),
  ).toBe(404)
  expect(await statusOf(url, listEventUploads, { token: admin.token, params: { eventId: 'nonsense' } })).toBe(
    404,
  )
  expect(await statusOf(url, deleteUpload, { token: admin.token, params: { uploadId: 'nonsense' } })).toBe(
    404,
  )
})

test('When media was processed, then the upload is ready with links to its derivatives', async () => {
  const { eventId, uploads } = await eventWithUploads(1)
  const uploadId = uploads[0]?._id ?? ''
  await messages.publish(
    newEnvelope('media.processed.v1', {
      uploadId,
      width: 4000,
      height: 3000,
      isDamaged: true,
      takenAt: '2026-06-12T21:40:07',
    }),
  )
  const ready = await eventually(async () => (await list(eventId)).find(({ status }) => status === 'ready'))
  expect(ready).toMatchObject({
    width: 4000,
    height: 3000,
    isDamaged: true,
    takenAt: '2026-06-12T21:40:07Z',
    takenAtSource: 'exif-local',
  })
  expect(ready.thumbnailUrl).toContain(`${uploadId}/thumbnail.webp?`)
  expect(ready.previewUrl).toContain(`${uploadId}/preview.webp?`)
  // A late failure does not change it.
  await messages.publish(newEnvelope('media.failed.v1', { uploadId, reason: 'too late' }))
  await messages.publish(newEnvelope('media.processed.v1', { uploadId, width: 4001, height: 3000 }))
  const later = await eventually(async () => (await list(eventId)).find(({ width }) => width === 4001))
  expect(later.status).toBe('ready')
})

test('When media failed, then the upload has the reason, and its original can still be read', async () => {
  const { eventId, uploads } = await eventWithUploads(1)
  await messages.publish(
    newEnvelope('media.failed.v1', {
      uploadId: uploads[0]?._id ?? '',
      reason: 'The photo is damaged.',
      decoderVersion: DECODER_VERSION,
    }),
  )
  const failed = await eventually(async () => (await list(eventId)).find(({ status }) => status === 'failed'))
  expect(failed.failureReason).toBe('The photo is damaged.')
  expect(await sizeOfOriginal(failed)).toBe(failed.size)
})

test('When an upload is deleted, then it disappears at once, a message is published, and the file can be sent again', async () => {
  const { eventId } = await eventWithUploads(0)
  const bytes = await uniquePhoto()
  const { body } = await sendFiles(url, eventId, [{ name: 'again.jpg', bytes }])
  const uploadId = body.uploads[0]._id as string
  const remove = () => call(url, deleteUpload, { token: admin.token, params: { uploadId } })

  expect(await remove()).toMatchObject({ status: 200, body: { message: 'Upload deleted successfully' } })
  expect((await remove()).status).toBe(404)
  expect(await list(eventId)).toEqual([])
  await eventually(() => messages.ofType('upload.deleted.v1').find(({ data }) => data.uploadId === uploadId))

  const again = await sendFiles(url, eventId, [{ name: 'again.jpg', bytes }])
  expect(again.body.uploads[0]).toMatchObject({ duplicate: false })
  expect((await list(eventId))[0]?.filename).toBe(`${eventId}/again.jpg`)
})

test('When an upload waits too long for its derivatives, then processing is requested again', async () => {
  const { uploads } = await eventWithUploads(1)
  const requests = () =>
    messages.ofType('upload.completed.v1').filter(({ data }) => data.uploadId === uploads[0]?._id)
  await eventually(() => requests().length >= 2)
})

test('When a crash left blobs without a record, committed or not, then the sweep removes them and nothing else', async () => {
  const { eventId } = await eventWithUploads(1)
  const committed = originalOf(60, '1')
  await committed.upload('left', 4)
  const uncommitted = originalOf(60, '2')
  await uncommitted.stageBlock(Buffer.from('1').toString('base64'), 'left', 4)

  await eventually(async () => {
    const names = await namesOfBlobs()
    return !names.includes(committed.name) && !names.includes(uncommitted.name)
  })
  const [stored] = await list(eventId)
  expect(await sizeOfOriginal(stored)).toBe(stored?.size)
})

test('When more blobs lack a record than one sweep removes, then further sweeps remove the rest, and none that may be completed', async () => {
  // Old enough to be removed, and only too old to be completed.
  const old = ['3', '4', '5', '6', '7'].map((end) => originalOf(60, end))
  const young = originalOf(8, '8')
  for (const blob of [...old, young]) await blob.upload('left', 4)
  await eventually(async () => {
    const names = await namesOfBlobs()
    return old.every(({ name }) => !names.includes(name))
  }, 'the sweeps')
  await eventually(
    async () => (await readGauge(system, 'uploads', 'uploads_orphans_kept')) === 0,
    'a sweep that leaves nothing',
  )
  expect(await namesOfBlobs()).toContain(young.name)
})

const container = () =>
  BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(system.namespace)

/** The original of an upload without a record that is some minutes old. */
const originalOf = (minutes: number, end: string) => {
  const time = Math.floor(Date.now() / 1_000 - minutes * 60).toString(16)
  return container().getBlockBlobClient(`${time.padStart(8, '0')}${end.repeat(16)}/original`)
}

const namesOfBlobs = async (): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of container().listBlobsFlat({ includeUncommitedBlobs: true })) names.push(name)
  return names
}
