import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { blobNames } from '@confetti/contracts'
import { eventually, readCounter, readSample } from '@confetti/test-kit'
import { phoneVideo, truncatedVideo } from './files.ts'
import { startHarness, type Harness } from './harness.ts'

let harness: Harness
/** Its rendition takes long enough for a test to interfere. */
let slowVideo: Buffer
beforeAll(async () => {
  slowVideo = await phoneVideo()
  harness = await startHarness()
})
afterAll(() => harness.stop())

test('When a video is uploaded, then its rendition is stored for browsers and reported', async () => {
  const upload = await harness.upload(await readSample('video.mov'), 'video/quicktime')
  expect((await harness.waitForRendition(upload)).source).toBe('/services/media')
  const rendition = harness.container.getBlobClient(blobNames.rendition(upload.uploadId))
  expect(await rendition.getProperties()).toMatchObject({
    contentType: 'video/mp4',
    cacheControl: 'private, max-age=31536000, immutable',
  })
  expect((await harness.waitForOutcome(upload)).type).toBe('media.processed.v1')
})

test('When upload.completed is redelivered, then the rendition is reported again, not made again', async () => {
  const upload = await harness.upload(await readSample('video.mp4'), 'video/mp4')
  await harness.waitForRendition(upload)
  const rendition = harness.container.getBlobClient(blobNames.rendition(upload.uploadId))
  const { etag } = await rendition.getProperties()
  await harness.publishCompleted(upload, 'video/mp4')
  await harness.waitForRendition(upload, 2)
  expect((await rendition.getProperties()).etag).toBe(etag)
})

test('When a video cannot be rendered, then nothing is reported, and the next one is', async () => {
  const damaged = await harness.upload(await truncatedVideo(), 'video/mp4')
  expect((await harness.waitForOutcome(damaged)).type).toBe('media.failed.v1')
  // The previews request none for it.
  await harness.requestRendition(damaged)
  const next = await harness.upload(await readSample('video.mp4'), 'video/mp4')
  await harness.waitForRendition(next)
  await eventually(async () => {
    const metrics = await (await fetch(harness.worker.metricsUrl)).text()
    return /media_rendition_seconds_count\{.*type="video\/mp4",outcome="failed"/.test(metrics)
  }, 'the failure in the metrics')
  expect(harness.renditionsOf(damaged)).toEqual([])
})

test('When a rendition is being made, then no photo waits for it', async () => {
  const video = await harness.upload(slowVideo, 'video/quicktime')
  const pid = await harness.waitForRenditionProcess()
  process.kill(-pid, 'SIGSTOP')
  const photo = await harness.upload(await readSample('camera-gps.jpg'), 'image/jpeg')
  expect((await harness.waitForOutcome(photo)).type).toBe('media.processed.v1')
  expect(harness.renditionsOf(video)).toEqual([])
  process.kill(-pid, 'SIGCONT')
  await harness.waitForRendition(video)
})

test('When a video is deleted while its rendition is made, then no blobs are left', async () => {
  const upload = await harness.upload(slowVideo, 'video/quicktime')
  const pid = await harness.waitForRenditionProcess()
  process.kill(-pid, 'SIGSTOP')
  await harness.publishDeleted(upload)
  await eventually(async () => (await harness.blobsOf(upload)).length === 0, 'no blobs')
  process.kill(-pid, 'SIGCONT')
  const next = await harness.upload(await readSample('video.mp4'), 'video/mp4')
  await harness.waitForRendition(next)
  await eventually(async () => (await harness.blobsOf(upload)).length === 0, 'no blobs')
  expect(harness.renditionsOf(upload)).toEqual([])
})

test('When a rendition that has failed is requested again, then it is not counted again', async () => {
  const readCount = (outcome: string): Promise<number> =>
    readCounter(harness.system, 'media', 'media_rendition_seconds_count', { type: 'video/mp4', outcome })
  const [failed, done] = [await readCount('failed'), await readCount('done')]
  const damaged = await harness.upload(await truncatedVideo(), 'video/mp4')
  await harness.waitForOutcome(damaged)
  await harness.requestRendition(damaged)
  await eventually(async () => (await readCount('failed')) === failed + 1, 'the failure in the metrics')
  await harness.requestRendition(damaged)
  const next = await harness.upload(await readSample('video.mp4'), 'video/mp4')
  await harness.waitForRendition(next)
  await eventually(async () => (await readCount('done')) === done + 1, 'the next one in the metrics')
  expect(await readCount('failed')).toBe(failed + 1)
})

test('When renditions are turned off, then what still waits for one is dropped, and a worker for them does nothing else', async () => {
  const off = await startHarness({ MEDIA_TASKS: 'renditions', VIDEO_RENDITIONS: 'off' })
  try {
    const upload = await off.upload(await readSample('video.mp4'), 'video/mp4')
    await off.requestRendition(upload)
    await eventually(
      async () =>
        (await readCounter(off.system, 'media', 'messaging_handled_total', {
          queue: 'media.rendition-requested',
          outcome: 'handled',
        })) === 1,
      'the message to be handled',
    )
    expect(await off.blobsOf(upload)).toEqual([blobNames.original(upload.uploadId)])
    expect(off.outcomesOf(upload)).toEqual([])
  } finally {
    await off.stop()
  }
})

test('When renditions are turned off, then previews request none', async () => {
  const off = await startHarness({ VIDEO_RENDITIONS: 'off' })
  try {
    const upload = await off.upload(await readSample('video.mp4'), 'video/mp4')
    expect((await off.waitForOutcome(upload)).type).toBe('media.processed.v1')
    const next = await off.upload(await readSample('camera-gps.jpg'), 'image/jpeg')
    await off.waitForOutcome(next)
    expect(off.renditionRequests()).toEqual([])
  } finally {
    await off.stop()
  }
})
