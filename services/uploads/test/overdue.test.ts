import { BlobServiceClient } from '@azure/storage-blob'
import { blobNames, deleteUpload, listEventUploads, type Upload } from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import { newMessage, toEnvelope } from '@confetti/messaging'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  readCounter,
  readSample,
  recordMessages,
  sendFiles,
  startTestSystem,
  uniquePhoto,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'

const PROCESSING_TIMEOUT_MS = 20
const RENDITION_TIMEOUT_MS = 2 * PROCESSING_TIMEOUT_MS

let system: TestSystem
let messages: RecordedMessages
let connection: mongoose.Connection

beforeAll(async () => {
  system = await startTestSystem({
    // No media worker: nothing is ever processed.
    services: ['auth', 'events', 'uploads'],
    environment: {
      uploads: { PROCESSING_TIMEOUT_MS: String(PROCESSING_TIMEOUT_MS), SWEEP_INTERVAL_MS: '50' },
    },
  })
  messages = await recordMessages(system)
  connection = await mongoose
    .createConnection(databaseUrl(system.backends.mongo, system.namespace, 'uploads'))
    .asPromise()
})

afterAll(async () => {
  await connection.close()
  await messages.close()
  await system.stop()
})

test('When an upload is never processed, then it is requested six more times, with growing delays, and fails; a late result still counts', async () => {
  const url = system.url('uploads')
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  const sent = await sendFiles(url, event._id, [{ name: 'photo.jpg', bytes: await uniquePhoto() }])
  const uploadId = sent.body.uploads[0]._id as string
  const getUpload = async (): Promise<Upload> => {
    const { body } = await call(url, listEventUploads, {
      token: admin.token,
      params: { eventId: event._id },
    })
    return body.uploads[0] as Upload
  }

  await eventually(async () => (await getUpload()).status === 'failed', 'the upload having failed')
  expect((await getUpload()).failureReason).toBe('The file could not be processed.')
  expect(await readCounter(system, 'uploads', 'uploads_processing_abandoned_total', {})).toBe(1)
  const requestedAt = messages
    .distinct('upload.completed.v1')
    .filter(({ data }) => data.uploadId === uploadId)
    .map(({ time }) => Date.parse(time))
  expect(requestedAt).toHaveLength(7)
  const uploadedAt = Date.parse((await getUpload()).uploadedAt)
  for (const [n, time] of requestedAt.entries())
    expect(time).toBeGreaterThanOrEqual(uploadedAt + PROCESSING_TIMEOUT_MS * (2 ** n - 1))

  const [completed] = messages.ofType('upload.completed.v1')
  if (!completed) throw new Error('No message')
  await messages.publish({
    ...completed,
    id: `${completed.id}-result`,
    type: 'media.processed.v1',
    data: { uploadId, width: 4, height: 3 },
  })
  await eventually(async () => (await getUpload()).status === 'ready', 'the late result')
})

test('When the rendition of a video never arrives, then it is requested six more times, with growing delays', async () => {
  const url = system.url('uploads')
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  const bytes = await readSample('video.mp4')
  const sent = await sendFiles(url, event._id, [{ name: 'video.mp4', bytes }])
  const uploadId = sent.body.uploads[0]._id as string
  const readyAt = Date.now()
  const processed = newMessage('media.processed.v1', { uploadId, width: 4, height: 3 })
  await messages.publish(toEnvelope(processed, '/services/media'))

  const records = connection.collection('uploads')
  const isGivenUp = async (): Promise<boolean> => {
    const record = await records.findOne({ _id: new mongoose.Types.ObjectId(uploadId) })
    return record?.status === 'ready' && !record.renditionDueAt && !record.outboxPending
  }
  await eventually(isGivenUp, 'the last request')
  const requests = messages
    .distinct('media.rendition-requested.v1')
    .filter(({ data }) => data.uploadId === uploadId)
  expect(requests).toHaveLength(6)
  for (const [n, { time, data }] of requests.entries()) {
    expect(Date.parse(time)).toBeGreaterThanOrEqual(readyAt + RENDITION_TIMEOUT_MS * (2 ** (n + 1) - 1))
    expect(data).toEqual({ uploadId, contentType: 'video/mp4', size: bytes.length })
  }
})

test('When the message of a deletion was lost, then the sweep removes the blobs before the record', async () => {
  const url = system.url('uploads')
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  const sent = await sendFiles(url, event._id, [{ name: 'photo.jpg', bytes: await uniquePhoto() }])
  const uploadId = sent.body.uploads[0]._id as string
  await call(url, deleteUpload, { token: admin.token, params: { uploadId } })
  const original = BlobServiceClient.fromConnectionString(system.backends.blob)
    .getContainerClient(system.namespace)
    .getBlobClient(blobNames.original(uploadId))
  expect(await original.exists()).toBe(true)
  const records = connection.collection('uploads')
  const _id = new mongoose.Types.ObjectId(uploadId)
  await records.updateOne({ _id }, { $set: { deletedAt: new Date(Date.now() - 48 * 3_600_000) } })
  await eventually(async () => (await records.findOne({ _id })) === null, 'the record being removed')
  expect(await original.exists()).toBe(false)
})
