import sharp from 'sharp'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually, readSample } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads } from '../harness.ts'
import { findDecoders, waitForDecoder } from './decoders.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { createGuestFile, newPhoto, newVideo, type GuestFile } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'
import { waitForRenditions } from './wait-for-renditions.ts'

let harness: FaultHarness

beforeAll(async () => {
  harness = await startFaultHarness({
    replicas: { media: 2 },
    environment: {
      // The slower HEIC decoder gives scenarios time to interfere; the short timeout ends a decoder that hangs.
      media: { HEIF_DECODER: 'libheif-js', DECODE_TIMEOUT_MS: '8000' },
    },
  })
}, 180_000)
afterAll(() => harness.stop(), 60_000)

const mediaWorkers = (): [ServiceProcess, ServiceProcess] => {
  const [one, other] = harness.system.replicas('media')
  if (!one || !other) throw new Error('Fewer than two media workers are running')
  return [one, other]
}

const sendHeicPhotos = async ({ guest }: ScenarioContext, count: number): Promise<void> => {
  const { sendUntilStored } = guest()
  for (let n = 0; n < count; n += 1) await sendUntilStored(await newPhoto('iphone-13.heic'))
}

const waitForReadyUploads = ({ event }: ScenarioContext, count: number): Promise<unknown> =>
  eventually(
    async () =>
      (await listUploads(harness, event._id)).filter(({ status }) => status === 'ready').length >= count,
    `${count} uploads being ready`,
    150_000,
  )

test('When both media workers are killed in mid-job, then each photo is ready after they have restarted', () =>
  runScenario(harness, async (context) => {
    const killed = mediaWorkers().map(async (worker) => {
      await waitForDecoder(worker)
      await worker.stop('SIGKILL')
    })
    // Enough photos to keep both workers busy for a while.
    await sendHeicPhotos(context, 6)
    await Promise.all(killed)
    // Guests do not notice the outage.
    await sendHeicPhotos(context, 1)
    await Promise.all(mediaWorkers().map((worker) => worker.restart()))
  }))

test('When a media worker is frozen in mid-job, then the other one does its jobs, and late results of the frozen one change nothing', () =>
  runScenario(harness, async (context) => {
    const [frozen] = mediaWorkers()
    const freezing = waitForDecoder(frozen).then(() => frozen.signal('SIGSTOP'))
    await sendHeicPhotos(context, 6)
    await freezing
    await waitForReadyUploads(context, 6)
    frozen.signal('SIGCONT')
    await sendHeicPhotos(context, 2)
  }))

test('When both media workers are killed while they make renditions, then each video has one after they have restarted', () =>
  runScenario(harness, async (context) => {
    const killed = mediaWorkers().map(async (worker) => {
      await waitForDecoder(worker, { task: 'rendition' })
      await worker.stop('SIGKILL')
    })
    const guest = context.guest()
    for (let n = 0; n < 4; n += 1) await guest.sendUntilStored(await newVideo(1))
    await Promise.all(killed)
    await Promise.all(mediaWorkers().map((worker) => worker.restart()))
    await waitForRenditions(harness, context.event._id, 4)
  }))

/** A decompression bomb: 268 megapixels in about 100 kB. */
const createBomb = async (): Promise<GuestFile> => {
  const pixels = { raw: { width: 16_384, height: 16_384, channels: 1 as const }, limitInputPixels: false }
  const bytes = await sharp(Buffer.alloc(16_384 * 16_384, Math.random() * 255), pixels)
    .png()
    .toBuffer()
  return createGuestFile('bomb.png', () => [bytes])
}

const createTruncatedPhoto = async (): Promise<GuestFile> => {
  const whole = await readSample('iphone-13.heic')
  const bytes = whole.subarray(0, Math.floor(whole.length * 0.6))
  return createGuestFile('truncated.heic', () => [bytes])
}

test('When files are sent that no decoder can open, then they fail with a reason and later photos are ready', () =>
  runScenario(
    harness,
    async (context) => {
      const guest = context.guest()
      for (const file of [await createBomb(), await createTruncatedPhoto(), await createBomb()])
        await guest.sendUntilStored(file)
      await guest.sendUntilStored(await newPhoto())
      await waitForReadyUploads(context, 1)
    },
    { undecodable: ['bomb.png', 'truncated.heic'] },
  ))

test('When a decoder hangs, then the other photos are ready meanwhile and its file is retried', () =>
  runScenario(
    harness,
    async (context) => {
      const guest = context.guest()
      const slowPhoto = await newPhoto('iphone-13.heic')
      await guest.sendUntilStored({ ...slowPhoto, name: 'slow.heic' })
      const [one, other] = mediaWorkers()
      const decoder = await eventually(
        async () => (await findDecoders(one))[0] ?? (await findDecoders(other))[0],
        'the slow file being decoded',
      )
      // A frozen decoder never ends, and uses no processor time that would count against its file.
      process.kill(decoder, 'SIGSTOP')
      for (let n = 0; n < 5; n += 1) await guest.sendUntilStored(await newPhoto())
      await waitForReadyUploads(context, 5)
      const [slowUpload] = (await listUploads(harness, context.event._id)).filter(
        ({ originalName }) => originalName === 'slow.heic',
      )
      expect(slowUpload?.status).toBe('processing')
    },
    { progressTimeoutMs: 240_000 },
  ))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
