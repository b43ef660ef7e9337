import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BlobServiceClient } from '@azure/storage-blob'
import {
  createEventArchive,
  DECODER_VERSION,
  deleteEvent,
  listEventUploads,
  listGallery,
  listGuestUploads,
  setUploadsVisibility,
  updateEvent,
  type Archive,
  type GalleryUpload,
  type Upload,
  type UploadVisibility,
} from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import { newMessage, toEnvelope } from '@confetti/messaging'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  readSample,
  recordMessages,
  sendFiles,
  startTestSystem,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'

let system: TestSystem
let messages: RecordedMessages
let clockAheadMs = 0

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    replicas: { uploads: 2 },
    clock: () => new Date(Date.now() + clockAheadMs),
    environment: { uploads: { SWEEP_INTERVAL_MS: '500' } },
  })
  messages = await recordMessages(system)
})

afterAll(async () => {
  await messages.close()
  await system.stop()
})

const connectDatabase = (): Promise<mongoose.Connection> =>
  mongoose.createConnection(databaseUrl(system.backends.mongo, system.namespace, 'uploads')).asPromise()

/** A record as an earlier version wrote it, with its original. */
const writeOldUpload = async (eventId: string, uploadedAt: Date, changes = {}): Promise<string> => {
  const bytes = await readSample('camera-gps.jpg')
  const uploadId = Math.floor(uploadedAt.getTime() / 1_000).toString(16) + randomBytes(8).toString('hex')
  const container = BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(
    system.namespace,
  )
  await container.getBlockBlobClient(`${uploadId}/original`).upload(bytes, bytes.length)

  const connection = await connectDatabase()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await connection.collection('uploads').insertOne({
    _id: new mongoose.Types.ObjectId(uploadId),
    eventId,
    photoCredit: 'Table 4',
    originalName: 'camera-gps.jpg',
    contentType: 'image/jpeg',
    size: bytes.length,
    sha256,
    uploadedAt,
    filename: `${eventId}/camera-gps.jpg`,
    filenameKey: `${eventId}/camera-gps.jpg`,
    contentKey: `${eventId}/${sha256}/Table 4`,
    status: 'processing',
    processingRequestedAt: uploadedAt,
    processingDueAt: new Date(uploadedAt.getTime() + 900_000),
    deleted: false,
    outbox: [],
    outboxPending: false,
    outboxVersion: 1,
    outboxLeaseUntil: new Date(0),
    ...changes,
  })
  await connection.close()
  return uploadId
}

test('When a record was written by an earlier version, then it is listed, and its processing is requested again', async () => {
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  const uploadedAt = new Date(Date.now() - 3_600_000)
  const uploadId = await writeOldUpload(event._id, uploadedAt)

  const { body } = await call(system.url('uploads'), listEventUploads, {
    token: admin.token,
    params: { eventId: event._id },
  })
  expect(body.uploads as Upload[]).toMatchObject([
    { _id: uploadId, photoCredit: 'Table 4', status: 'processing', uploadedAt: uploadedAt.toISOString() },
  ])
  const requests = () =>
    messages.distinct('upload.completed.v1').filter(({ data }) => data.uploadId === uploadId)
  await eventually(() => requests().length > 0, 'the request')
  // Further sweeps find nothing to do.
  const sweeps = () => system.log.filter((line) => line.includes('sweep completed')).length
  const before = sweeps()
  await eventually(() => sweeps() >= before + 2, 'two more sweeps')
  expect(requests()).toHaveLength(1)
})

test('When an earlier version named the blobs of an upload by its time, then it is served, archived and erased', async () => {
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  const uploadId = await writeOldUpload(event._id, new Date(Date.now() - 3_600_000))
  const container = BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(
    system.namespace,
  )
  const original = container.getBlobClient(`${uploadId}/original`)
  const bytes = await original.downloadToBuffer()
  const as = { token: admin.token, params: { eventId: event._id } }

  const { body } = await call(system.url('uploads'), listEventUploads, as)
  const [listed] = body.uploads as Upload[]
  expect(Buffer.from(await (await fetch(listed?.url ?? '')).arrayBuffer())).toEqual(bytes)
  const archive = await eventually(async () => {
    const reply = await call(system.url('uploads'), createEventArchive, { ...as, body: {} })
    return reply.status === 201 && (reply.body as Archive)
  }, 'the archive')
  const zip = Buffer.from(await (await fetch(archive.url)).arrayBuffer())
  expect(zip.includes(bytes)).toBe(true)

  // Sent without a record, by a replica of the version before.
  const tag = createHash('sha256').update(event._id).digest('hex').slice(0, 6)
  const uncompleted = container.getBlockBlobClient(`${uploadId.slice(0, 8)}${tag}0123456789/original`)
  await uncompleted.upload(bytes, bytes.length)
  await call(system.url('events'), deleteEvent, as)
  const isWaiting = (line: string) =>
    line.includes('waiting for requests in progress') && line.includes(event._id)
  await eventually(() => system.log.some(isWaiting), 'the erasure to wait for requests')
  clockAheadMs += 20_000
  await eventually(
    () => messages.distinct('uploads.erased.v1').some(({ data }) => data.eventId === event._id),
    'the erasure',
  )
  expect([await original.exists(), await uncompleted.exists()]).toEqual([false, false])
})

test('When decoders of an earlier version refused a file, then its processing is requested again once, and more often only while they refuse it', async () => {
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  const failureReason = 'The photo is damaged.'
  const uploadId = await writeOldUpload(event._id, new Date(Date.now() - 3_600_000), {
    status: 'failed',
    failureReason,
    // After the services have told of queues that were missing: what was requested before is requested again.
    processingRequestedAt: new Date(),
    // Of versions that marked each failure as final.
    isFailureFinal: true,
  })
  const ofUpload = ({ data }: { data: { uploadId: string } }) => data.uploadId === uploadId
  const countRequests = () => messages.distinct('upload.completed.v1').filter(ofUpload).length
  const statuses = () =>
    messages
      .distinct('upload.changed.v1')
      .filter(ofUpload)
      .map(({ data }) => data.status)
  const getUpload = async (): Promise<Upload> => {
    const params = { eventId: event._id }
    const { body } = await call(system.url('uploads'), listEventUploads, { token: admin.token, params })
    return body.uploads[0] as Upload
  }
  const countSweeps = () => system.log.filter((line) => line.includes('sweep completed')).length
  const waitForSweeps = async () => {
    const before = countSweeps()
    await eventually(() => countSweeps() >= before + 6, 'more sweeps of both replicas')
  }
  /** Lets the time pass after which processing is requested: 15 minutes, and longer after each request. */
  const passTime = async () => {
    const connection = await connectDatabase()
    await connection
      .collection('uploads')
      .updateOne(
        { _id: new mongoose.Types.ObjectId(uploadId) },
        { $set: { processingDueAt: new Date(Date.now() - 1_000) } },
      )
    await connection.close()
  }
  const answer = (...args: Parameters<typeof newMessage>) =>
    messages.publish(toEnvelope(newMessage(...args), '/services/media'))

  await eventually(() => statuses().length === 1, 'the upload waiting again')
  expect(await getUpload()).toMatchObject({ status: 'processing' })
  expect((await getUpload()).failureReason).toBeUndefined()
  await passTime()
  await eventually(() => countRequests() === 1, 'the request')
  await waitForSweeps()
  expect(countRequests()).toBe(1)

  await answer('media.failed.v1', { uploadId, reason: failureReason })
  await eventually(
    () => statuses().length === 3,
    'the upload waiting again after an answer of the earlier version',
  )
  await passTime()
  await eventually(() => countRequests() === 2, 'the second request')
  await answer('media.failed.v1', { uploadId, reason: failureReason, decoderVersion: DECODER_VERSION })
  await eventually(async () => (await getUpload()).status === 'failed', 'the failure')
  await waitForSweeps()
  expect(await getUpload()).toMatchObject({ status: 'failed', failureReason })
  expect(statuses()).toEqual(['processing', 'failed', 'processing', 'failed'])
  expect(countRequests()).toBe(2)
})

test('When a file crashed the decoders of an earlier version, then it is not requested again', async () => {
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  const uploadId = await writeOldUpload(event._id, new Date(Date.now() - 3_600_000), {
    status: 'failed',
    failureReason: 'The file could not be processed.',
  })
  const countSweeps = () => system.log.filter((line) => line.includes('sweep completed')).length
  const before = countSweeps()
  await eventually(() => countSweeps() >= before + 6, 'more sweeps of both replicas')
  const changes = messages.distinct('upload.changed.v1').filter(({ data }) => data.uploadId === uploadId)
  expect(changes).toEqual([])
})

test('When a record has no checksum, then an archive has the file with its checksum', async () => {
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  await writeOldUpload(event._id, new Date(Date.now() - 3_600_000))
  const { status, body } = await call(system.url('uploads'), createEventArchive, {
    token: admin.token,
    params: { eventId: event._id },
    body: {},
  })
  expect(status).toBe(201)
  const archive = Buffer.from(await (await fetch((body as Archive).url)).arrayBuffer())
  const original = await readSample('camera-gps.jpg')
  expect(archive.readUInt32LE(14)).toBe(crc32(original))
  expect(archive.includes(original)).toBe(true)
})

test('When a record was written by an earlier version, then guests see it in the gallery, and it can be hidden and shown', async () => {
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  const uploadId = await writeOldUpload(event._id, new Date(Date.now() - 3_600_000))
  const params = { eventId: event._id }
  const url = system.url('uploads')
  const look = () => call(url, listGallery, { params })
  expect((await look()).body.code).toBe('gallery_off')
  const settings = { gallery: 'on' } as const
  await call(system.url('events'), updateEvent, { token: admin.token, params, body: { settings } })
  const result = newMessage('media.processed.v1', { uploadId, width: 4_000, height: 3_000 })
  await messages.publish(toEnvelope(result, '/services/media'))
  const shown = async () =>
    ((await look()).body.uploads as GalleryUpload[] | undefined)?.map(({ _id }) => _id)
  await eventually(async () => (await shown())?.includes(uploadId), 'the upload in the gallery')

  const set = async (visibility: UploadVisibility) => {
    const body = { uploadIds: [uploadId], visibility }
    const answer = await call(url, setUploadsVisibility, { token: admin.token, params, body })
    expect(answer.body.uploadIds).toEqual([uploadId])
    const list = await call(url, listEventUploads, { token: admin.token, params })
    expect(list.body.uploads).toMatchObject([{ _id: uploadId, visibility, status: 'ready' }])
  }
  await set('visible')
  await set('hidden')
  expect(await shown()).toEqual([])
  await set('visible')
  expect(await shown()).toEqual([uploadId])
  // The guest who has sent it is not recorded.
  const own = await call(url, listGuestUploads, { headers: { 'X-Guest-Id': 'anna' }, query: params })
  expect(own.body.uploads).toEqual([])
})

test('When a copy of an event was written by an earlier version, then its uploads are visible, and its gallery is off', async () => {
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  const connection = await connectDatabase()
  const copies = connection.collection<{ _id: string }>('events')
  await eventually(async () => (await copies.countDocuments({ _id: event._id })) === 1, 'the copy')
  await copies.replaceOne(
    { _id: event._id },
    {
      organiserId: event.eventFor._id,
      organisers: [event.eventFor._id],
      uploadsCloseAt: new Date(event.uploadsCloseAt),
      uploads: null,
      maxFiles: null,
      moderation: null,
      gallery: null,
      revealAt: null,
      revision: 0,
    },
  )
  await connection.close()
  const { body } = await sendFiles(system.url('uploads'), event._id, [
    { name: 'new.jpg', bytes: await readSample('orientation-6.jpg') },
  ])
  expect(body.uploads).toHaveLength(1)
  const params = { eventId: event._id }
  expect((await call(system.url('uploads'), listGallery, { params })).body.code).toBe('gallery_off')
  const list = await call(system.url('uploads'), listEventUploads, { token: admin.token, params })
  expect(list.body.uploads).toMatchObject([{ visibility: 'visible' }])
})
