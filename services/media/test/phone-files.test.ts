import { createHash } from 'node:crypto'
import { BlobServiceClient } from '@azure/storage-blob'
import { newUploadId } from '@confetti/blob-storage'
import { blobNames, listEventUploads, type Event, type MediaType, type Upload } from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  readCounter,
  sendDirect,
  sendFiles,
  startTestSystem,
  type Account,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import sharp from 'sharp'
import { androidVideo, damagedHeic, ios18Photo, truncated } from './files.ts'
import { burstOf, x265Picture } from './heif-files.ts'

let system: TestSystem
let admin: Account
let event: Event
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads', 'media'],
    environment: {
      uploads: { PROCESSING_TIMEOUT_MS: '5000', SWEEP_INTERVAL_MS: '100' },
      // As in production.
      media: { HEIF_DECODER: 'auto' },
    },
  })
  admin = await newAdmin(system, system.url('auth'))
  event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
})
afterAll(() => system.stop())

const findUpload = async (uploadId: string): Promise<Upload | undefined> => {
  const { body } = await call(system.url('uploads'), listEventUploads, {
    token: admin.token,
    params: { eventId: event._id },
  })
  return (body.uploads as Upload[]).find(({ _id }) => _id === uploadId)
}
const waitForProcessing = (uploadId: string): Promise<Upload> =>
  eventually(async () => {
    const upload = await findUpload(uploadId)
    return upload?.status !== 'processing' && upload
  }, 'the upload being processed')

/** The size of an image that a link leads to. */
const sizeOf = async (url = ''): Promise<[number, number]> => {
  const { width, height } = await sharp(await (await fetch(url)).arrayBuffer()).metadata()
  return [width, height]
}
const countFallbacks = () => readCounter(system, 'media', 'media_heif_fallbacks_total', {})

test('When an iPhone with iOS 18 sends a photo, then it has thumbnail and preview', async () => {
  const photo = { name: 'IMG_2041.HEIC', bytes: await ios18Photo() }
  const { body } = await sendFiles(system.url('uploads'), event._id, [photo])
  const upload = await waitForProcessing(body.uploads[0]._id as string)
  expect(upload).toMatchObject({
    status: 'ready',
    width: 3024,
    height: 4032,
    takenAt: '2022-02-16T11:55:41Z',
    takenAtSource: 'exif',
  })
  expect(await sizeOf(upload.thumbnailUrl)).toEqual([300, 400])
  expect(await sizeOf(upload.previewUrl)).toEqual([1_200, 1_600])
})

test('When no decoder can read a HEIC photo, then it fails at once, and for good', async () => {
  const before = await countFallbacks()
  const photo = { name: 'IMG_2042.HEIC', bytes: await damagedHeic() }
  const { body } = await sendFiles(system.url('uploads'), event._id, [photo])
  const uploadId = body.uploads[0]._id as string
  expect(await waitForProcessing(uploadId)).toMatchObject({
    status: 'failed',
    failureReason: 'The photo is damaged.',
  })
  expect(await countFallbacks()).toBeGreaterThan(before)
  const countSweeps = () => system.log.filter((line) => line.includes('sweep completed')).length
  const sweeps = countSweeps()
  await eventually(() => countSweeps() > sweeps + 2, 'more sweeps')
  expect(await findUpload(uploadId)).toMatchObject({ status: 'failed' })
})

test.each([
  ['3gp4', 'video.mp4', 'video.mp4', sendFiles],
  ['3gp5', 'VID_0001.3gp', 'VID_0001.3gp.mp4', sendFiles],
  ['3gp6', 'VID_0002.3gp', 'VID_0002.3gp.mp4', sendDirect],
] as const)(
  'When a phone sends an MP4 with the brand %s as %s, then it has a poster, its metadata and the name %s',
  async (brand, name, filename, send) => {
    const video = { name, bytes: await androidVideo(brand) }
    const { status, body } =
      send === sendDirect
        ? await sendDirect(system.url('uploads'), event._id, video)
        : await sendFiles(system.url('uploads'), event._id, [video])
    expect({ status, rejected: body.rejected }).toEqual({ status: 201, rejected: [] })
    const upload = await waitForProcessing(body.uploads[0]._id as string)
    expect(upload).toMatchObject({
      status: 'ready',
      contentType: 'video/mp4',
      filename: `${event._id}/${filename}`,
      width: 320,
      height: 240,
      durationSeconds: 7.8,
    })
    expect(await sizeOf(upload.previewUrl)).toEqual([320, 240])
  },
)

/** Writes an upload that failed, with its job, as services wrote them before the decoders had a version. */
const writeFailedUpload = async (
  bytes: Buffer,
  { name, contentType, reason }: { name: string; contentType: MediaType; reason: string },
): Promise<string> => {
  const uploadedAt = new Date(Date.now() - 3_600_000)
  const uploadId = newUploadId(event._id, uploadedAt)
  await BlobServiceClient.fromConnectionString(system.backends.blob)
    .getContainerClient(system.namespace)
    .getBlockBlobClient(blobNames.original(uploadId))
    .upload(bytes, bytes.length)
  const outboxFields = { outbox: [], outboxPending: false, outboxVersion: 2, outboxLeaseUntil: new Date(0) }
  const write = async (service: 'uploads' | 'media', collection: string, document: object) => {
    const url = databaseUrl(system.backends.mongo, system.namespace, service)
    const connection = await mongoose.createConnection(url).asPromise()
    await connection.collection(collection).insertOne({ ...document, ...outboxFields })
    await connection.close()
  }
  await write('media', 'jobs', {
    _id: uploadId,
    state: 'failed',
    attempts: 1,
    reason,
    isFinal: true,
    changedAt: uploadedAt,
  })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await write('uploads', 'uploads', {
    _id: new mongoose.Types.ObjectId(uploadId),
    eventId: event._id,
    photoCredit: 'Table 7',
    originalName: name,
    contentType,
    size: bytes.length,
    sha256,
    uploadedAt,
    filename: `${event._id}/table-7-${name}`,
    filenameKey: `${event._id}/table-7-${name}`,
    contentKey: `${event._id}/${sha256}/Table 7`,
    status: 'failed',
    failureReason: reason,
    isFailureFinal: true,
    processingRequestedAt: uploadedAt,
    processingDueAt: uploadedAt,
    deleted: false,
  })
  return uploadId
}

test.each([
  ['a photo of iOS 18', ios18Photo, 'image/heic', 'The photo is damaged.', [1_200, 1_600]],
  [
    'a burst',
    async () => burstOf(await x265Picture(640, 480)),
    'image/heic',
    'The file is not a photo that can be opened.',
    [640, 480],
  ],
  [
    'a JPEG that was cut off',
    () => truncated('phone-jolla.jpg'),
    'image/jpeg',
    'The photo is damaged.',
    [1_600, 1_200],
  ],
] as const)(
  'When %s failed in an earlier version, then it is processed again, and has thumbnail and preview',
  async (name, make, contentType, reason, size) => {
    const uploadId = await writeFailedUpload(await make(), { name, contentType, reason })
    const upload = await eventually(async () => {
      const found = await findUpload(uploadId)
      return found?.status === 'ready' && found
    }, 'the upload being ready')
    expect(upload.failureReason).toBeUndefined()
    expect(await sizeOf(upload.previewUrl)).toEqual(size)
    expect(upload.thumbnailUrl).toBeDefined()
  },
)
