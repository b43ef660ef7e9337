import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BlobServiceClient } from '@azure/storage-blob'
import { createEventArchive, listEventUploads, type Archive, type Upload } from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  readSample,
  recordMessages,
  startTestSystem,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'

let system: TestSystem
let messages: RecordedMessages

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    environment: { uploads: { SWEEP_INTERVAL_MS: '500' } },
  })
  messages = await recordMessages(system)
})

afterAll(async () => {
  await messages.close()
  await system.stop()
})

/** A record as version 0.1 wrote it, with its original. */
const writeOldUpload = async (eventId: string, uploadedAt: Date): Promise<string> => {
  const bytes = await readSample('camera-gps.jpg')
  const uploadId = Math.floor(uploadedAt.getTime() / 1_000).toString(16) + randomBytes(8).toString('hex')
  const container = BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(
    system.namespace,
  )
  await container.getBlockBlobClient(`${uploadId}/original`).upload(bytes, bytes.length)

  const connection = await mongoose
    .createConnection(databaseUrl(system.backends.mongo, system.namespace, 'uploads'))
    .asPromise()
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
    askedAt: uploadedAt,
    deleted: false,
    outbox: [],
    outboxPending: false,
    outboxVersion: 1,
    outboxLeaseUntil: new Date(0),
  })
  await connection.close()
  return uploadId
}

test('When a record was written by version 0.1, then it is listed, and its processing is requested again', async () => {
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
    messages.ofType('upload.completed.v1').filter(({ data }) => data.uploadId === uploadId)
  await eventually(() => requests().length > 0, 'the request')
  // It has processingRequestedAt now: further sweeps find nothing to do.
  const sweeps = () => system.log.filter((line) => line.includes('sweep completed')).length
  const before = sweeps()
  await eventually(() => sweeps() >= before + 2, 'two more sweeps')
  expect(requests()).toHaveLength(1)
})

test('When a record of version 0.1 has no checksum, then an archive has the file with its checksum', async () => {
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
