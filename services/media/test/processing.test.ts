import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { blobNames } from '@confetti/contracts'
import { eventually, readCounter, readSample } from '@confetti/test-kit'
import sharp from 'sharp'
import { startHarness, type Harness } from './harness.ts'
import { checksumsOf, pngBomb, truncated } from './files.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

test('When a photo is uploaded, then thumbnail and preview are stored and its metadata is published', async () => {
  const photo = await readSample('phone-jolla.jpg')
  const upload = await harness.upload(photo, 'image/jpeg')
  const { uploadId } = upload
  expect(await harness.waitForOutcome(upload)).toMatchObject({
    type: 'media.processed.v1',
    source: '/services/media',
    data: { uploadId, width: 3264, height: 2448, takenAt: '2014-09-21T16:00:56', ...checksumsOf(photo) },
  })
  for (const [name, width] of [
    [blobNames.thumbnail(uploadId), 400],
    [blobNames.preview(uploadId), 1_600],
  ] as const) {
    const blob = harness.container.getBlobClient(name)
    expect(await blob.getProperties()).toMatchObject({
      contentType: 'image/webp',
      cacheControl: 'private, max-age=31536000, immutable',
    })
    expect(await sharp(await blob.downloadToBuffer()).metadata()).toMatchObject({ format: 'webp', width })
  }
  const [workerFolder] = await readdir(harness.tempDir)
  await eventually(async () => (await readdir(`${harness.tempDir}/${workerFolder}`)).length === 0)
})

test('When a guest sends several photos, then one process decodes them, which ends with the worker', async () => {
  const ofGuest = await startHarness()
  const send = async () => {
    const upload = await ofGuest.upload(await readSample('orientation-6.jpg'), 'image/jpeg', 'guest-1')
    expect(await ofGuest.waitForOutcome(upload)).toMatchObject({ type: 'media.processed.v1' })
    return ofGuest.decoderPids()
  }
  const decoders = await send()
  expect(decoders).toHaveLength(1)
  expect(await send()).toEqual(decoders)
  await ofGuest.stop()
  expect(await ofGuest.decoderPids()).toEqual([])
})

test('When a video is uploaded, then its poster is stored and its duration is published', async () => {
  const video = await readSample('video.mp4')
  const upload = await harness.upload(video, 'video/mp4')
  expect(await harness.waitForOutcome(upload)).toMatchObject({
    type: 'media.processed.v1',
    data: {
      ...{ width: 320, height: 240, durationSeconds: 7.8, takenAt: '2012-03-31T19:46:48Z' },
      ...checksumsOf(video),
    },
  })
  expect(await harness.blobsOf(upload)).toContain(blobNames.preview(upload.uploadId))
})

test('When a file has the check value of CRC-32 as its content, then it is published as an unsigned number', async () => {
  const upload = await harness.upload(Buffer.from('123456789'), 'image/jpeg')
  expect((await harness.waitForOutcome(upload)).data).toMatchObject({
    crc32: 0xcb_f4_39_26,
    sha256: '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225',
  })
})

test('When an original arrives in many chunks, then its checksums are those of the whole', async () => {
  const bytes = Buffer.concat([await readSample('phone-jolla.jpg'), randomBytes(24 * 1_048_576)])
  const upload = await harness.upload(bytes, 'image/jpeg')
  expect(await harness.waitForOutcome(upload)).toMatchObject({
    type: 'media.processed.v1',
    data: checksumsOf(bytes),
  })
})

test('When upload.completed is redelivered, then the same outcome is published again', async () => {
  const photo = await readSample('orientation-6.jpg')
  const upload = await harness.upload(photo, 'image/jpeg')
  const { data, id } = await harness.waitForOutcome(upload)
  expect(data).toMatchObject(checksumsOf(photo))
  await harness.publishCompleted(upload, 'image/jpeg')
  const repeated = await eventually(() => harness.outcomesOf(upload).find((outcome) => outcome.id !== id))
  expect(repeated.data).toEqual(data)
  expect(await harness.blobsOf(upload)).toHaveLength(3)
})

test('When a file cannot be processed, then the reason is published each time and the original stays', async () => {
  const bytes = await truncated('gradient.png')
  const upload = await harness.upload(bytes, 'image/png')
  const { uploadId } = upload
  const failure = {
    type: 'media.failed.v1',
    data: { uploadId, reason: 'The photo is damaged.', ...checksumsOf(bytes) },
  }
  expect(await harness.waitForOutcome(upload)).toMatchObject(failure)
  await harness.publishCompleted(upload, 'image/png')
  expect(await harness.waitForOutcome(upload, 2)).toMatchObject(failure)
  expect(await harness.blobsOf(upload)).toEqual([blobNames.original(uploadId)])
})

test('When a JPEG is cut off, then thumbnail and preview are stored, and it is published each time that it is damaged', async () => {
  const bytes = await truncated('phone-jolla.jpg')
  const upload = await harness.upload(bytes, 'image/jpeg')
  const { uploadId } = upload
  const processed = {
    type: 'media.processed.v1',
    data: { uploadId, width: 3264, height: 2448, isDamaged: true, ...checksumsOf(bytes) },
  }
  expect(await harness.waitForOutcome(upload)).toMatchObject(processed)
  await harness.publishCompleted(upload, 'image/jpeg')
  expect(await harness.waitForOutcome(upload, 2)).toMatchObject(processed)
  expect(await harness.blobsOf(upload)).toHaveLength(3)
})

test('When a decompression bomb is uploaded, then it fails and the next photo is processed', async () => {
  const bomb = await harness.upload(await pngBomb(), 'image/png')
  const photo = await harness.upload(await readSample('camera-gps.jpg'), 'image/jpeg')
  expect((await harness.waitForOutcome(bomb)).data).toMatchObject({
    reason: 'The photo has more than 220 megapixels.',
  })
  expect((await harness.waitForOutcome(photo)).type).toBe('media.processed.v1')
})

test('When the original does not exist yet, then processing is retried', async () => {
  const countRetries = () =>
    readCounter(harness.system, 'media', 'messaging_handled_total', {
      queue: 'media.upload-completed',
      outcome: 'retried',
    })
  const before = await countRetries()
  const upload = harness.newUpload()
  await harness.publishCompleted(upload, 'image/jpeg')
  await eventually(async () => (await countRetries()) > before, 'a retry')
  expect(harness.outcomesOf(upload)).toEqual([])
  await harness.putOriginal(upload, await readSample('camera-gps.jpg'))
  expect((await harness.waitForOutcome(upload)).type).toBe('media.processed.v1')
})

test('When an upload is deleted, then its original and derivatives are removed', async () => {
  const upload = await harness.upload(await readSample('camera-gps.jpg'), 'image/jpeg')
  await harness.waitForOutcome(upload)
  expect(await harness.blobsOf(upload)).toHaveLength(3)
  await harness.publishDeleted(upload)
  await eventually(async () => (await harness.blobsOf(upload)).length === 0, 'no blobs')
})

test('When an upload is deleted during processing, then no blobs are left and no outcome is published', async () => {
  const upload = await harness.upload(await readSample('iphone-13.heic'), 'image/heic')
  const resumeDecoder = await harness.suspendDecoder()
  await harness.publishDeleted(upload)
  await eventually(async () => (await harness.blobsOf(upload)).length === 0, 'no blobs')
  resumeDecoder()
  await eventually(async () => (await harness.decoderPids()).length === 0, 'no decoder left')
  // Once a later upload is processed, this one is finished.
  const next = await harness.upload(await readSample('camera-gps.jpg'), 'image/jpeg')
  await harness.waitForOutcome(next)
  await eventually(async () => (await harness.blobsOf(upload)).length === 0, 'no blobs')
  expect(harness.outcomesOf(upload)).toEqual([])
})

test('When upload.deleted arrives before upload.completed, then the upload is not processed', async () => {
  const upload = harness.newUpload()
  await harness.putOriginal(upload, await readSample('camera-gps.jpg'))
  await harness.publishDeleted(upload)
  await eventually(async () => (await harness.blobsOf(upload)).length === 0, 'no blobs')
  await harness.putOriginal(upload, await readSample('camera-gps.jpg'))
  await harness.publishCompleted(upload, 'image/jpeg')
  await eventually(async () => (await harness.blobsOf(upload)).length === 0, 'no blobs')
  expect(harness.outcomesOf(upload)).toEqual([])
})

test('The metrics contain the processing time by content type and outcome', async () => {
  const upload = await harness.upload(await readSample('camera-gps.jpg'), 'image/jpeg')
  await harness.waitForOutcome(upload)
  const sample = /media_processing_seconds_count\{.*type="image\/jpeg",outcome="done"/
  await eventually(async () => sample.test(await (await fetch(harness.worker.metricsUrl)).text()))
})

test('The worker has health checks and no API', async () => {
  expect((await fetch(`${harness.worker.url}/healthz`)).status).toBe(200)
  await eventually(async () => (await fetch(`${harness.worker.url}/readyz`)).ok)
  expect((await fetch(`${harness.worker.url}/api/uploads`)).status).toBe(404)
})
