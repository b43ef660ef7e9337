import { setTimeout as sleep } from 'node:timers/promises'
import { testBackends, startTcpProxy, type TcpProxy } from '@confetti/test-kit'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { startBlobProxy, type BlobProxy } from './blob-proxy.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto, newVideo, type GuestFile } from './guest-file.ts'
import { killAfter, killAfterRecord, killBefore } from './kill-points.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'
import { waitForSweep } from './wait-for-cleanup.ts'

let harness: FaultHarness
let blobs: BlobProxy
let mongo: TcpProxy
beforeAll(async () => {
  harness = await startFaultHarness({
    environment: {
      // Longer than any request in these scenarios.
      uploads: {
        MAX_UPLOAD_DURATION_MS: '10000',
        ORPHAN_AGE_MS: '15000',
        ORPHAN_QUARANTINE_MS: '0',
        SWEEP_INTERVAL_MS: '1000',
      },
      // The worker bypasses the proxy, so that its calls do not trigger the kill.
      media: { BLOB_CONNECTION_STRING: testBackends().blob },
    },
    proxyBackends: async (addresses) => {
      blobs = await startBlobProxy(addresses.blob)
      mongo = await startTcpProxy(addresses.mongo)
      return { blob: blobs.url, mongo: mongo.url }
    },
  })
}, 180_000)
afterAll(async () => {
  await harness.stop()
  await Promise.all([blobs.close(), mongo.close()])
}, 60_000)
beforeEach(() => {
  responded = Promise.withResolvers()
  killed = Promise.withResolvers()
  blobs.hooks.before = undefined
  blobs.hooks.after = undefined
  mongo.hooks.onRequest = undefined
  mongo.hooks.onReply = undefined
})

const uploadsService = () => {
  const [service] = harness.system.replicas('uploads')
  if (!service) throw new Error('The uploads service is not running')
  return service
}
// Much longer than it takes to write a record.
const COMMIT_DELAY_MS = 3_000
let responded = Promise.withResolvers<undefined>()
let killed = Promise.withResolvers<undefined>()

const kill = async (): Promise<void> => {
  await uploadsService().stop('SIGKILL')
  killed.resolve(undefined)
}

/** Delays the commit of a photo, then kills uploads; at once if it responds before the commit. */
const killWhileUncommitted = (): void => {
  blobs.hooks.before = async ({ operation }) => {
    if (operation !== 'Put Blob') return undefined
    blobs.hooks.before = undefined
    await Promise.race([responded.promise, sleep(COMMIT_DELAY_MS)])
    await kill()
    return 'no-response'
  }
}

/**
 * Sends `file` while uploads is killed at the point that `scheduleKill` prepares; another guest sends while uploads is
 * down. Both send again after the restart.
 */
const sendDuringKill = async (
  { guest, reportViolation }: ScenarioContext,
  scheduleKill: () => void,
  file: GuestFile,
): Promise<void> => {
  const [victim, bystander] = [guest(undefined, { hangMs: 20_000 }), guest()]
  await guest().sendUntilStored(await newPhoto())
  scheduleKill()
  const result = await victim.send(file)
  if (result.connectionLost || result.status !== 502)
    reportViolation({
      kind: 'response',
      what: `the guest whose upload was interrupted did not get 502: ${JSON.stringify(result)}`,
    })
  responded.resolve(undefined)
  await killed.promise
  expect(await bystander.send(await newPhoto())).toMatchObject({ status: 503, code: 'unavailable' })
  await uploadsService().restart()
  await victim.sendUntilStored(file)
  await bystander.sendUntilStored(await newPhoto())
}

const killPoints: [string, () => void, () => Promise<GuestFile>][] = [
  ['before the first block', () => killBefore(blobs, 'Put Block', kill), () => newVideo(20)],
  ['in mid-stream', () => killBefore(blobs, 'Put Block', kill, 3), () => newVideo(20)],
  ['while it commits a photo', killWhileUncommitted, () => newPhoto()],
  [
    'after the commit of a video and before its record',
    () => killAfter(blobs, 'Put Block List', kill),
    () => newVideo(20),
  ],
  [
    'after the commit of a photo and before its record',
    () => killAfter(blobs, 'Put Blob', kill),
    () => newPhoto(),
  ],
  ['after the record and before the response', () => killAfterRecord(mongo, kill), () => newPhoto()],
]

test.each(killPoints)(
  'When uploads is killed %s, then the guest gets 502 at once, sends again, and the file is stored once',
  async (_, scheduleKill, newFile) =>
    runScenario(harness, async (context) => {
      await sendDuringKill(context, scheduleKill, await newFile())
      await waitForSweep(harness)
    }),
)

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
