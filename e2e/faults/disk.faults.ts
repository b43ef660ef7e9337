import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, testBackends } from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { listUploads } from '../harness.ts'
import { startBlobProxy, type BlobProxy } from './blob-proxy.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto, newVideo } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

// The worker starts a job only if 256 MB are free in addition to the size of the file.
const ENOUGH = { megabytes: 400 }
const FULL = { megabytes: 1 }

let blobs: BlobProxy
let mediaDisk: SmallDisk
let brokerDisk: SmallDisk
let fullDisk: SmallDisk
let harness: FaultHarness

beforeAll(async () => {
  blobs = await startBlobProxy(testBackends().blob)
  mediaDisk = await mountSmallDisk(ENOUGH)
  brokerDisk = await mountSmallDisk(ENOUGH)
  // The root folder uses the only inode, so that no file can be created.
  fullDisk = await mountSmallDisk({ megabytes: 1, files: 1 })
  const fullTempDir = { TMPDIR: fullDisk.folder }
  harness = await startFaultHarness({
    ownBackends: ['rabbitmq'],
    dataDirs: { rabbitmq: brokerDisk.folder },
    proxyBackends: () => Promise.resolve({ blob: blobs.url }),
    environment: {
      gateway: fullTempDir,
      uploads: { ...fullTempDir, BLOB_PUBLIC_URL: blobs.publicUrl },
      media: { MEDIA_TEMP_DIR: mediaDisk.folder, HEIF_DECODER: 'heif-convert' },
    },
  })
}, 180_000)
afterEach(async () => {
  delete blobs.hooks.before
  await mediaDisk.resize(ENOUGH)
  await brokerDisk.resize(ENOUGH)
})
afterAll(async () => {
  await harness.stop()
  await blobs.close()
  await mediaDisk.remove()
  await brokerDisk.remove()
  await fullDisk.remove()
}, 60_000)

/** Resolves when a job that is tried again has been logged since line `from`, with this text in its error. */
const waitForRetry = (from: number, text: string): Promise<unknown> =>
  eventually(
    () =>
      harness.system.log
        .slice(from)
        .some((line) => /message failed, will retry|message delayed/.test(line) && line.includes(text)),
    `a job that will be retried: ${text}`,
  )

const listStatuses = async ({ event }: ScenarioContext, name: string): Promise<string[]> =>
  (await listUploads(harness, event._id))
    .filter(({ originalName }) => originalName === name)
    .map(({ status }) => status)

test('When the disk of the media worker is full, then guests do not notice, and photos are ready once space is free', () =>
  runScenario(harness, async (context) => {
    const from = harness.system.log.length
    await mediaDisk.resize(FULL)
    for (let n = 0; n < 5; n += 1)
      expect(await context.guest().send(await newPhoto())).toMatchObject({ status: 201 })
    await waitForRetry(from, 'is full')
    expect(await listStatuses(context, 'image.jpg')).toEqual(Array(5).fill('processing'))
    await mediaDisk.resize(ENOUGH)
  }))

test('When the disk has space for photos but not for a video, then the video does not delay the photos', () =>
  runScenario(harness, async (context) => {
    const from = harness.system.log.length
    await mediaDisk.resize({ megabytes: 280 })
    expect(await context.guest().send(await newVideo(40))).toMatchObject({ status: 201 })
    await waitForRetry(from, 'is full')
    for (let n = 0; n < 3; n += 1)
      expect(await context.guest().send(await newPhoto())).toMatchObject({ status: 201 })
    await eventually(
      async () => (await listStatuses(context, 'image.jpg')).every((status) => status === 'ready'),
      'the photos being ready',
    )
    expect(await listStatuses(context, 'video.mp4')).toEqual(['processing'])
    await mediaDisk.resize(ENOUGH)
  }))

test('When the disk of the media worker fills while it downloads a video, then the video is ready once space is free', () =>
  runScenario(harness, async ({ guest }) => {
    const from = harness.system.log.length
    blobs.hooks.before = async ({ operation }) => {
      if (operation === 'Get Blob') await mediaDisk.resize(FULL)
      return undefined
    }
    expect(await guest().send(await newVideo(6))).toMatchObject({ status: 201 })
    await waitForRetry(from, 'ENOSPC')
    delete blobs.hooks.before
    await mediaDisk.resize(ENOUGH)
  }))

test('When the disk of the media worker fills while it decodes a photo, then the photo is not reported as damaged', () =>
  runScenario(harness, async ({ guest }) => {
    const from = harness.system.log.length
    blobs.hooks.before = async ({ operation }) => {
      // The root, the worker's folder, the job's folder and the original: no inode is left for the decoder's output.
      if (operation === 'Get Blob') await mediaDisk.resize({ ...ENOUGH, files: 4 })
      return undefined
    }
    expect(await guest().send(await newPhoto('iphone-13.heic'))).toMatchObject({ status: 201 })
    await waitForRetry(from, 'could not write')
    delete blobs.hooks.before
    await mediaDisk.resize(ENOUGH)
  }))

test('When no disk space is free for gateway and uploads, then they do not need any', () =>
  runScenario(harness, async ({ guest }) => {
    for (const file of [await newVideo(30), await newPhoto('iphone-13.heic'), await newPhoto()])
      expect(await guest().send(file)).toMatchObject({ status: 201 })
    expect(await readdir(fullDisk.folder)).toEqual([])
  }))

test('When the disk of RabbitMQ is almost full, then it blocks publishers, guests do not notice, and photos are ready once space is free', () =>
  runScenario(harness, async ({ guest }) => {
    const from = harness.system.log.length
    // With less than 50 MB free, RabbitMQ blocks every connection that has published.
    await brokerDisk.resize({ megabytes: (await brokerDisk.used()) + 20 })
    const sender = guest(undefined, { hangMs: 8_000 })
    const hasLogged = (text: string): boolean =>
      harness.system.log.slice(from).some((line) => line.includes(text) && line.includes('"uploads"'))
    await eventually(async () => {
      expect(await sender.send(await newPhoto())).toMatchObject({ status: 201 })
      await sleep(1_000)
      return hasLogged('broker blocks publishers') && hasLogged('failed to publish messages, will retry')
    }, 'a message that RabbitMQ does not accept')
    await brokerDisk.resize(ENOUGH)
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
