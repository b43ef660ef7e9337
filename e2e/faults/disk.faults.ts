import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, testBackends } from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { listUploads } from '../stand.ts'
import { startBlobProxy, type BlobProxy } from './blob-proxy.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto, newVideo } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

// The worker begins a job only where there are 256 MB beside the file.
const ENOUGH = { megabytes: 400 }
const FULL = { megabytes: 1 }

let blobs: BlobProxy
let mediaDisk: SmallDisk
let brokerDisk: SmallDisk
let fullDisk: SmallDisk
let stand: FaultStand

beforeAll(async () => {
  blobs = await startBlobProxy(testBackends().blob)
  mediaDisk = await mountSmallDisk(ENOUGH)
  brokerDisk = await mountSmallDisk(ENOUGH)
  // With room for nothing but its own folder.
  fullDisk = await mountSmallDisk({ megabytes: 1, files: 1 })
  const noTemp = { TMPDIR: fullDisk.folder }
  stand = await startFaultStand({
    own: ['rabbitmq'],
    dataDirs: { rabbitmq: brokerDisk.folder },
    through: () => Promise.resolve({ blob: blobs.url }),
    environment: {
      gateway: noTemp,
      uploads: { ...noTemp, BLOB_PUBLIC_URL: blobs.publicUrl },
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
  await stand.stop()
  await blobs.close()
  await mediaDisk.remove()
  await brokerDisk.remove()
  await fullDisk.remove()
}, 60_000)

/** Resolves when a job was put off since `since`, for a reason in which these words are. */
const whenPutOff = (since: number, words: string): Promise<unknown> =>
  eventually(
    () =>
      stand.system.log.slice(since).some((line) => line.includes('will try again') && line.includes(words)),
    `a job that is put off: ${words}`,
  )

const statusOf = async ({ event }: Scene, name: string): Promise<string[]> =>
  (await listUploads(stand, event._id))
    .filter(({ originalName }) => originalName === name)
    .map(({ status }) => status)

test('When the disk of the media worker is full, then guests do not notice, and photos are ready once there is room', () =>
  play(stand, async (scene) => {
    const since = stand.system.log.length
    await mediaDisk.resize(FULL)
    for (let n = 0; n < 5; n += 1)
      expect(await scene.guest().send(await newPhoto())).toMatchObject({ status: 201 })
    await whenPutOff(since, 'is full')
    expect(await statusOf(scene, 'image.jpg')).toEqual(Array(5).fill('processing'))
    await mediaDisk.resize(ENOUGH)
  }))

test('When there is room for photos and not for a video, then it does not hold them up', () =>
  play(stand, async (scene) => {
    const since = stand.system.log.length
    await mediaDisk.resize({ megabytes: 280 })
    expect(await scene.guest().send(await newVideo(40))).toMatchObject({ status: 201 })
    await whenPutOff(since, 'is full')
    for (let n = 0; n < 3; n += 1)
      expect(await scene.guest().send(await newPhoto())).toMatchObject({ status: 201 })
    await eventually(
      async () => (await statusOf(scene, 'image.jpg')).every((status) => status === 'ready'),
      'the photos being ready',
    )
    expect(await statusOf(scene, 'video.mp4')).toEqual(['processing'])
    await mediaDisk.resize(ENOUGH)
  }))

test('When the disk of the media worker fills while it fetches a video, then that is ready once there is room', () =>
  play(stand, async ({ guest }) => {
    const since = stand.system.log.length
    blobs.hooks.before = async ({ operation }) => {
      if (operation === 'Get Blob') await mediaDisk.resize(FULL)
      return undefined
    }
    expect(await guest().send(await newVideo(6))).toMatchObject({ status: 201 })
    await whenPutOff(since, 'ENOSPC')
    delete blobs.hooks.before
    await mediaDisk.resize(ENOUGH)
  }))

test('When the disk of the media worker fills while it decodes a photo, then that is not called damaged', () =>
  play(stand, async ({ guest }) => {
    const since = stand.system.log.length
    blobs.hooks.before = async ({ operation }) => {
      // For the disk itself, the worker's folder, the job's, and the original: none is left for the decoder's.
      if (operation === 'Get Blob') await mediaDisk.resize({ ...ENOUGH, files: 4 })
      return undefined
    }
    expect(await guest().send(await newPhoto('iphone-13.heic'))).toMatchObject({ status: 201 })
    await whenPutOff(since, 'could not write')
    delete blobs.hooks.before
    await mediaDisk.resize(ENOUGH)
  }))

test('When gateway and uploads have no room on any disk, then they need none', () =>
  play(stand, async ({ guest }) => {
    for (const file of [await newVideo(30), await newPhoto('iphone-13.heic'), await newPhoto()])
      expect(await guest().send(file)).toMatchObject({ status: 201 })
    expect(await readdir(fullDisk.folder)).toEqual([])
  }))

test('When the disk of RabbitMQ is almost full, then it takes no facts, guests do not notice, and photos are ready once there is room', () =>
  play(stand, async ({ guest }) => {
    const since = stand.system.log.length
    // With less than 50 MB left it reads nothing more from who publishes, and from nobody who has.
    await brokerDisk.resize({ megabytes: (await brokerDisk.used()) + 20 })
    const sender = guest(undefined, { hangMs: 8_000 })
    const said = (words: string): boolean =>
      stand.system.log.slice(since).some((line) => line.includes(words) && line.includes('"uploads"'))
    await eventually(async () => {
      expect(await sender.send(await newPhoto())).toMatchObject({ status: 201 })
      await sleep(1_000)
      return said('broker takes nothing') && said('outbox waits for the broker')
    }, 'a fact that RabbitMQ does not take')
    await brokerDisk.resize(ENOUGH)
  }))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
