import { readCounter, deleteQueue, eventually, purgeQueue } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { waitForDecoder } from './decoders.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto, newVideo } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'
import { waitForRenditions } from './wait-for-renditions.ts'

// More than a consumer prefetches from its queue.
const PHOTOS = 20
// Also more than it prefetches, but processed before a frozen consumer misses its heartbeat.
const PHOTOS_WITHIN_HEARTBEAT = 12
const PUBLISH_TIMEOUT_MS = 300_000

let harness: FaultHarness

beforeAll(async () => {
  harness = await startFaultHarness({
    // After this timeout the uploads service requests processing again, if no queue has been declared again.
    environment: { uploads: { PROCESSING_TIMEOUT_MS: '20000', SWEEP_INTERVAL_MS: '2000' } },
  })
}, 180_000)
afterAll(() => harness.stop(), 60_000)

type Service = 'media' | 'uploads'
const sendSignal = (service: Service, signal: NodeJS.Signals): void => {
  for (const replica of harness.system.replicas(service)) replica.signal(signal)
}

const sendPhotos = async ({ guest }: ScenarioContext, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1)
    expect(await guest().send(await newPhoto())).toMatchObject({ status: 201 })
}

const countPublished = (service: Service, type: string): Promise<number> =>
  readCounter(harness.system, service, 'messaging_published_total', { type })

/** Resolves when the broker has confirmed `count` messages of this type. */
const waitForPublished = (service: Service, type: string, before: number, count = PHOTOS): Promise<unknown> =>
  eventually(
    async () => (await countPublished(service, type)) >= before + count,
    `${count} messages ${type}`,
    PUBLISH_TIMEOUT_MS,
  )

test('When the queue of the media worker is deleted with its messages, then photos are acknowledged meanwhile and ready in the end', () =>
  runScenario(harness, async (context) => {
    await sendPhotos(context, 1)
    const before = await countPublished('uploads', 'upload.completed.v1')
    sendSignal('media', 'SIGSTOP')
    try {
      await sendPhotos(context, PHOTOS)
      await waitForPublished('uploads', 'upload.completed.v1', before)
      await deleteQueue(harness.system, 'media.upload-completed')
      await sendPhotos(context, 1)
    } finally {
      sendSignal('media', 'SIGCONT')
    }
    await sendPhotos(context, 1)
  }))

test('When the messages of a queue are lost but not the queue, then processing is requested again after the timeout', () =>
  runScenario(harness, async (context) => {
    await sendPhotos(context, 1)
    const before = await countPublished('uploads', 'upload.completed.v1')
    sendSignal('media', 'SIGSTOP')
    try {
      await sendPhotos(context, PHOTOS)
      await waitForPublished('uploads', 'upload.completed.v1', before)
      await purgeQueue(harness.system, 'media.upload-completed')
    } finally {
      sendSignal('media', 'SIGCONT')
    }
  }))

test("When the queue of the media worker's results is deleted with its messages, then photos are ready in the end", () =>
  runScenario(harness, async (context) => {
    await sendPhotos(context, 1)
    const before = await countPublished('media', 'media.processed.v1')
    sendSignal('media', 'SIGSTOP')
    try {
      await sendPhotos(context, PHOTOS_WITHIN_HEARTBEAT)
    } finally {
      // A frozen uploads service does not consume the messages that the worker publishes now.
      sendSignal('uploads', 'SIGSTOP')
      sendSignal('media', 'SIGCONT')
    }
    try {
      await waitForPublished('media', 'media.processed.v1', before, PHOTOS_WITHIN_HEARTBEAT)
      await deleteQueue(harness.system, 'uploads.media-processed')
    } finally {
      sendSignal('uploads', 'SIGCONT')
    }
    await sendPhotos(context, 1)
  }))

test('When the requests for renditions are lost but not their queue, then each video gets one after the timeout', () =>
  runScenario(harness, async (context) => {
    const guest = context.guest()
    const [worker] = harness.system.replicas('media')
    if (!worker) throw new Error('No media worker is running')
    const before = await countPublished('media', 'media.rendition-requested.v1')
    await guest.sendUntilStored(await newVideo(1))
    // While the first rendition is not done, the worker takes no further request from the queue.
    const decoder = await waitForDecoder(worker, { task: 'rendition' })
    process.kill(decoder, 'SIGSTOP')
    try {
      for (let n = 0; n < 3; n += 1) await guest.sendUntilStored(await newVideo(1))
      await waitForPublished('media', 'media.rendition-requested.v1', before, 4)
      await purgeQueue(harness.system, 'media.rendition-requested')
    } finally {
      process.kill(decoder, 'SIGCONT')
    }
    await waitForRenditions(harness, context.event._id, 4)
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
