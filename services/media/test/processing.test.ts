import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { blobNames } from '@confetti/contracts'
import { eventually, sample } from '@confetti/test-kit'
import sharp from 'sharp'
import { startBench, type Bench } from './bench.ts'
import { pngBomb, truncated } from './files.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench.stop())

test('When a photo is uploaded, then its thumbnail and preview lie in blob storage and its measures are told', async () => {
  const upload = await bench.send(await sample('phone-jolla.jpg'), 'image/jpeg')
  const { uploadId } = upload
  expect(await bench.outcomeOf(upload)).toMatchObject({
    type: 'media.processed.v1',
    source: '/services/media',
    data: { uploadId, width: 3264, height: 2448, takenAt: '2014-09-21T16:00:56' },
  })
  for (const [name, width] of [
    [blobNames.thumbnail(uploadId), 400],
    [blobNames.preview(uploadId), 1_600],
  ] as const) {
    const blob = bench.container.getBlobClient(name)
    expect(await blob.getProperties()).toMatchObject({
      contentType: 'image/webp',
      cacheControl: 'private, max-age=31536000, immutable',
    })
    expect(await sharp(await blob.downloadToBuffer()).metadata()).toMatchObject({ format: 'webp', width })
  }
  const [workerFolder] = await readdir(bench.tempDir)
  await eventually(async () => (await readdir(`${bench.tempDir}/${workerFolder}`)).length === 0)
})

test('When a video is uploaded, then it gets a poster, and its duration is told', async () => {
  const upload = await bench.send(await sample('video.mp4'), 'video/mp4')
  expect(await bench.outcomeOf(upload)).toMatchObject({
    type: 'media.processed.v1',
    data: { width: 320, height: 240, durationSeconds: 7.8, takenAt: '2012-03-31T19:46:48Z' },
  })
  expect(await bench.blobsOf(upload)).toContain(blobNames.preview(upload.uploadId))
})

test('When the same upload is said twice, then its outcome is told twice, and is the same', async () => {
  const upload = await bench.send(await sample('orientation-6.jpg'), 'image/jpeg')
  const { data, id } = await bench.outcomeOf(upload)
  await bench.sayCompleted(upload, 'image/jpeg')
  const again = await eventually(() => bench.outcomesOf(upload).find((outcome) => outcome.id !== id))
  expect(again.data).toEqual(data)
  expect(await bench.blobsOf(upload)).toHaveLength(3)
})

test('When a file cannot be shown, then why is told each time, and its original stays', async () => {
  const upload = await bench.send(await truncated('phone-jolla.jpg'), 'image/jpeg')
  const { uploadId } = upload
  const failure = { type: 'media.failed.v1', data: { uploadId, reason: 'The photo is damaged.' } }
  expect(await bench.outcomeOf(upload)).toMatchObject(failure)
  await bench.sayCompleted(upload, 'image/jpeg')
  expect(await bench.outcomeOf(upload, 2)).toMatchObject(failure)
  expect(await bench.blobsOf(upload)).toEqual([blobNames.original(uploadId)])
})

test('When a bomb is uploaded, then it fails and the next photo is shown', async () => {
  const bomb = await bench.send(await pngBomb(), 'image/png')
  const photo = await bench.send(await sample('camera-gps.jpg'), 'image/jpeg')
  expect((await bench.outcomeOf(bomb)).data).toMatchObject({
    reason: 'The photo has more than 120 megapixels.',
  })
  expect((await bench.outcomeOf(photo)).type).toBe('media.processed.v1')
})

test('When the original cannot be read yet, then it is tried again', async () => {
  const upload = bench.newUpload()
  await bench.sayCompleted(upload, 'image/jpeg')
  await eventually(async () =>
    (await (await fetch(bench.worker.metricsUrl)).text()).includes('outcome="retried"'),
  )
  expect(bench.outcomesOf(upload)).toEqual([])
  await bench.putOriginal(upload, await sample('camera-gps.jpg'))
  expect((await bench.outcomeOf(upload)).type).toBe('media.processed.v1')
})

test('When an upload is deleted, then its original and all that was made from it go', async () => {
  const upload = await bench.send(await sample('camera-gps.jpg'), 'image/jpeg')
  await bench.outcomeOf(upload)
  expect(await bench.blobsOf(upload)).toHaveLength(3)
  await bench.sayDeleted(upload)
  await eventually(async () => (await bench.blobsOf(upload)).length === 0, 'no blobs')
})

test('When an upload is deleted while it is worked on, then nothing of it is left or told', async () => {
  const upload = await bench.send(await sample('iphone-13.heic'), 'image/heic')
  await bench.decoding()
  await bench.sayDeleted(upload)
  await eventually(async () => (await bench.blobsOf(upload)).length === 0, 'no blobs')
  await eventually(async () => (await bench.decoders()).length === 0, 'the end of the job')
  // A job after it shows that this one is settled.
  const next = await bench.send(await sample('camera-gps.jpg'), 'image/jpeg')
  await bench.outcomeOf(next)
  await eventually(async () => (await bench.blobsOf(upload)).length === 0, 'no blobs')
  expect(bench.outcomesOf(upload)).toEqual([])
})

test('When an upload is deleted before it is heard of, then it is not worked on', async () => {
  const upload = bench.newUpload()
  await bench.putOriginal(upload, await sample('camera-gps.jpg'))
  await bench.sayDeleted(upload)
  await eventually(async () => (await bench.blobsOf(upload)).length === 0, 'no blobs')
  await bench.putOriginal(upload, await sample('camera-gps.jpg'))
  await bench.sayCompleted(upload, 'image/jpeg')
  await eventually(async () => (await bench.blobsOf(upload)).length === 0, 'no blobs')
  expect(bench.outcomesOf(upload)).toEqual([])
})

test('When someone looks at the metrics, then they show how long files took', async () => {
  const upload = await bench.send(await sample('camera-gps.jpg'), 'image/jpeg')
  await bench.outcomeOf(upload)
  const counted = /media_processing_seconds_count\{.*type="image\/jpeg",outcome="done"/
  await eventually(async () => counted.test(await (await fetch(bench.worker.metricsUrl)).text()))
})

test('When the worker is asked, then it is healthy and ready', async () => {
  expect((await fetch(`${bench.worker.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${bench.worker.url}/readyz`)).status).toBe(200)
  expect((await fetch(`${bench.worker.url}/api/uploads`)).status).toBe(404)
})
