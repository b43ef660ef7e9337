import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sha256 } from '../sha256.ts'
import { listUploads } from '../harness.ts'
import { countStartedUploads } from './count-started-uploads.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto, newVideo, type GuestFile } from './guest-file.ts'
import { connectRawClient, type RawClient } from './raw-client.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'
import { waitForMemoryRelease, waitForSweep } from './wait-for-cleanup.ts'

// 60 s in production.
const IDLE_TIMEOUT_MS = 5_000
const OTHER_GUESTS = 10
const CREDIT = 'Poor connection'

let harness: FaultHarness

beforeAll(async () => {
  harness = await startFaultHarness({
    replicas: { uploads: 2 },
    environment: {
      gateway: { IDLE_TIMEOUT_MS: String(IDLE_TIMEOUT_MS) },
      uploads: {
        IDLE_TIMEOUT_MS: String(1.5 * IDLE_TIMEOUT_MS),
        MAX_UPLOAD_DURATION_MS: '20000',
        ORPHAN_AGE_MS: '30000',
        ORPHAN_QUARANTINE_MS: '0',
        SWEEP_INTERVAL_MS: '3000',
      },
    },
  })
}, 180_000)
afterAll(() => harness.stop(), 60_000)

const connectClient = ({ event, uploadLog }: ScenarioContext, file: GuestFile): Promise<RawClient> => {
  uploadLog.recordSent({ eventId: event._id, credit: CREDIT, sha256: file.sha256 })
  return connectRawClient({ api: harness.api, eventId: event._id, credit: CREDIT, file })
}

const expectOthersAreServed = async ({ guest }: ScenarioContext): Promise<void> => {
  const guests = Array.from({ length: OTHER_GUESTS }, () => guest(undefined, { hangMs: 20_000 }))
  const results = await Promise.all(guests.map(async ({ send }) => send(await newPhoto())))
  for (const result of results) expect(result).toMatchObject({ status: 201 })
}

/** Expects that memory is released, and that nothing but acknowledged uploads is listed or stored. */
const expectNoLeftovers = async ({ event, uploadLog }: ScenarioContext): Promise<void> => {
  await waitForMemoryRelease(harness)
  expect(await listUploads(harness, event._id)).toHaveLength(uploadLog.acknowledgedCount())
  await waitForSweep(harness)
}

test.each([0, 50, 99])(
  'When clients disconnect after %d %% of a file, then nothing of it is left',
  (percent) =>
    runScenario(harness, async (context) => {
      const files = [await newVideo(12), await newVideo(3), await newPhoto(), await newPhoto()]
      const replicas = harness.system.replicas('uploads')
      const startedBefore = await countStartedUploads(replicas)
      const clients = await Promise.all(files.map((file) => connectClient(context, file)))
      await Promise.all(clients.map(({ sendUpTo }) => sendUpTo(percent / 100)))
      const allStarted = async () => (await countStartedUploads(replicas)) === startedBefore + files.length
      await eventually(allStarted, 'the uploads service starting each upload')
      for (const { disconnect } of clients) disconnect()
      await expectOthersAreServed(context)
      await expectNoLeftovers(context)
    }),
)

test('When clients stall in the middle of a file, then they get 408, and others are served meanwhile', () =>
  runScenario(harness, async (context) => {
    const files = await Promise.all(Array.from({ length: 30 }, () => newPhoto()))
    const clients = await Promise.all(
      [await newVideo(12), ...files].map((file) => connectClient(context, file)),
    )
    await Promise.all(clients.map(({ sendUpTo }) => sendUpTo(0.5)))
    await expectOthersAreServed(context)
    const results = await Promise.all(clients.map(({ waitForResult }) => waitForResult()))
    for (const result of results) {
      context.recordResult(result)
      expect(result).toMatchObject({
        status: 408,
        message: 'Your files stopped arriving. Please check the connection and try again.',
      })
    }
    await expectNoLeftovers(context)
  }))

test('When clients send one byte per second, then they get 408, and others are served meanwhile', () =>
  runScenario(harness, async (context) => {
    const files = await Promise.all(Array.from({ length: 30 }, () => newPhoto()))
    const clients = await Promise.all(files.map((file) => connectClient(context, file)))
    const allAnswered = new AbortController()
    const sendingSlowly = (async () => {
      while (!allAnswered.signal.aborted) {
        for (const { sendBytes } of clients) await sendBytes(1)
        await sleep(1_000)
      }
    })()
    await expectOthersAreServed(context)
    const results = await Promise.all(clients.map(({ waitForResult }) => waitForResult())).finally(() =>
      allAnswered.abort(),
    )
    await sendingSlowly
    for (const result of results) {
      context.recordResult(result)
      expect(result).toMatchObject({
        status: 408,
        message: 'Your files are arriving too slowly. Please check the connection and try again.',
      })
    }
    expect(await listUploads(harness, context.event._id)).toHaveLength(OTHER_GUESTS)
    await context.guest(CREDIT).sendUntilStored(files[0] ?? (await newPhoto()))
    await expectNoLeftovers(context)
  }))

test.each([
  { moment: 'at once', afterListed: false },
  { moment: 'when it is listed', afterListed: true },
])(
  'When a client has sent all of a file and is disconnected $moment, then sending again gives one upload',
  ({ afterListed }) =>
    runScenario(harness, async (context) => {
      for (const file of [await newPhoto(), await newVideo(6)]) {
        const client = await connectClient(context, file)
        await client.sendRest()
        const isListed = async () =>
          (await listUploads(harness, context.event._id)).some(({ sha256 }) => sha256 === file.sha256)
        if (afterListed) await eventually(isListed, 'the upload being listed')
        client.disconnect()
        await context.guest(CREDIT).sendUntilStored(file)
      }
      await expectNoLeftovers(context)
    }),
)

test('When the same file is sent 20 times at once, then there is one upload of it for each credit', () =>
  runScenario(harness, async ({ event, uploadLog, recordResult }) => {
    const bytes = await uniquePhoto()
    const name = 'same.jpg'
    const sendTwentyTimes = async (credit: string): Promise<string> => {
      const file = { eventId: event._id, credit, sha256: sha256(bytes) }
      uploadLog.recordSent(file)
      const responses = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const startedAt = performance.now()
          const response = await sendFiles(harness.api, event._id, [{ name, bytes }], credit)
          const ms = performance.now() - startedAt
          recordResult({ connectionLost: false, ms, status: response.status, code: '', message: '' })
          return response
        }),
      )
      expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201))
      const uploads = responses.map(({ body }) => body.uploads[0] as { _id: string; duplicate: boolean })
      expect(uploads.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
      const [uploadId = '', ...others] = new Set(uploads.map(({ _id }) => _id))
      expect(others).toEqual([])
      uploadLog.recordAcknowledged({ ...file, uploadId, size: bytes.length, originalName: name })
      return uploadId
    }
    const ids = await Promise.all([sendTwentyTimes('Table 1'), sendTwentyTimes('Table 2')])
    expect(new Set(ids).size).toBe(2)
    expect(await listUploads(harness, event._id)).toHaveLength(2)
    await waitForSweep(harness)
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
