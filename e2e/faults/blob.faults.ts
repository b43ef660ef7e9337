import type { ServiceProcess } from '@confetti/launcher'
import { sendFiles, testBackends, uniquePhoto } from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { startBlobProxy, type BlobProxy } from './blob-proxy.ts'
import type { CallResult } from './call-result.ts'
import { waitForDecoder } from './decoders.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { bytesOf, newPhoto, newVideo, pauseAtHalf, type GuestFile } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'
import { waitForMemoryRelease, waitForSweep } from './wait-for-cleanup.ts'

// 45 s in production.
const BLOB_TIMEOUT_MS = 8_000
// Less than two calls to blob storage that time out one after the other.
const HANG_MS = 14_000

let blobs: BlobProxy
let harness: FaultHarness

beforeAll(async () => {
  blobs = await startBlobProxy(testBackends().blob)
  harness = await startFaultHarness({
    proxyBackends: () => Promise.resolve({ blob: blobs.url }),
    environment: {
      uploads: {
        BLOB_PUBLIC_URL: blobs.publicUrl,
        BLOB_TIMEOUT_MS: String(BLOB_TIMEOUT_MS),
        // Longer than any request in these scenarios.
        MAX_UPLOAD_DURATION_MS: '20000',
        ORPHAN_AGE_MS: '30000',
        ORPHAN_QUARANTINE_MS: '0',
        SWEEP_INTERVAL_MS: '5000',
      },
    },
  })
}, 180_000)
afterEach(() => {
  blobs.mode('pass')
  delete blobs.hooks.before
  delete blobs.hooks.after
})
afterAll(async () => {
  await harness.stop()
  await blobs.close()
}, 60_000)

const mediaWorker = (): ServiceProcess => {
  const [worker] = harness.system.replicas('media')
  if (!worker) throw new Error('No media worker is running')
  return worker
}

/** Nine guests with a photo each, and one with a video of several blocks. */
const prepareGuests = async ({ guest }: ScenarioContext) => {
  const files: GuestFile[] = [await newVideo(12)]
  for (let n = 0; n < 9; n += 1) files.push(await newPhoto())
  const guests = files.map((file) => ({ file, ...guest(undefined, { hangMs: HANG_MS }) }))
  return {
    sendOnce: () => Promise.all(guests.map(({ file, send }) => send(file))),
    sendUntilStored: () => Promise.all(guests.map(({ file, sendUntilStored }) => sendUntilStored(file))),
  }
}

const expectBusy = (results: readonly CallResult[]): void => {
  for (const result of results)
    expect(result).toMatchObject({
      status: 503,
      retryAfter: 2,
      message: 'The upload could not be stored right now. Please try again in a moment.',
    })
}

test.each([
  { fault: 'refuses connections', mode: 'refuse' },
  { fault: 'hangs', mode: 'hang' },
  { fault: 'is slow', mode: 'slow' },
] as const)(
  'When blob storage $fault, then uploads get 503 with Retry-After, and are stored when it is available again',
  ({ mode }) =>
    runScenario(harness, async (context) => {
      const guests = await prepareGuests(context)
      const video = await newVideo(12)
      const decoding = waitForDecoder(mediaWorker())
      const earlyUploads = Array.from({ length: 6 }, async () =>
        context.guest().sendUntilStored(await newPhoto('iphone-13.heic')),
      )
      await Promise.all([...earlyUploads, decoding])
      const { file, reachedHalf, resume } = pauseAtHalf(video)
      const videoGuest = context.guest()
      const videoResult = videoGuest.send(file)
      await reachedHalf
      blobs.mode(mode)
      resume()
      expectBusy([...(await guests.sendOnce()), await videoResult])
      await waitForMemoryRelease(harness)
      blobs.mode('pass')
      await Promise.all([guests.sendUntilStored(), videoGuest.sendUntilStored(video)])
      await waitForSweep(harness)
    }),
)

/** Sends two photos and a video, which is larger than one call to blob storage, in one form. */
const sendForm = async ({ event, recordResult }: ScenarioContext): Promise<CallResult> => {
  const files = [
    { name: '1.jpg', bytes: await uniquePhoto() },
    { name: '2.jpg', bytes: await uniquePhoto() },
    { name: '3.mp4', bytes: await bytesOf(await newVideo(2)) },
  ]
  const startedAt = performance.now()
  const { status, headers, body } = await sendFiles(harness.api, event._id, files)
  const result: CallResult = {
    connectionLost: false,
    ms: performance.now() - startedAt,
    status,
    code: body.code as string,
    message: body.message as string,
    ...(headers.has('retry-after') && { retryAfter: Number(headers.get('retry-after')) }),
  }
  recordResult(result, 'a form of three files', HANG_MS)
  return result
}

// While the last file is received, and while it is committed.
test.each(['Put Block', 'Put Block List'] as const)(
  'When blob storage stops responding at the first %s of a form of several files, then the response is as fast as for one file',
  (firstOperation) =>
    runScenario(harness, async (context) => {
      let stopped = false
      blobs.hooks.before = ({ operation }) => {
        stopped ||= operation === firstOperation
        return stopped ? 'no-response' : undefined
      }
      expectBusy([await sendForm(context)])
      delete blobs.hooks.before
      await waitForSweep(harness)
    }),
)

test('When blob storage is busy for a moment, then guests do not notice', () =>
  runScenario(harness, async ({ guest }) => {
    const rejectedCalls = new Set<string>()
    blobs.hooks.before = ({ operation, blob }) => {
      const call = `${operation} ${blob}`
      if (operation === 'other' || rejectedCalls.has(call)) return undefined
      rejectedCalls.add(call)
      return 'busy'
    }
    for (const file of [await newPhoto(), await newVideo(6)])
      expect(await guest().send(file)).toMatchObject({ status: 201 })
    expect(rejectedCalls.size).toBeGreaterThan(0)
  }))

test.each(['Put Blob', 'Put Block List'] as const)(
  'When blob storage completes a %s and its response is lost, then the file is stored once in the end',
  (operation) =>
    runScenario(harness, async ({ guest }) => {
      const file = operation === 'Put Blob' ? await newPhoto() : await newVideo(6)
      const delayedResponse = Promise.withResolvers<undefined>()
      blobs.hooks.after = (call) => (call.operation === operation ? delayedResponse.promise : undefined)
      const sender = guest(undefined, { hangMs: HANG_MS })
      expectBusy([await sender.send(file)])
      await waitForMemoryRelease(harness)
      delete blobs.hooks.after
      delayedResponse.resolve(undefined)
      await sender.sendUntilStored(file)
      await waitForSweep(harness)
    }),
)

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
