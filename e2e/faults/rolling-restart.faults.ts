import { MB } from '@confetti/contracts'
import { serviceNames } from '@confetti/launcher'
import { eventually, testBackends } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startBlobProxy, type BlobProxy } from './blob-proxy.ts'
import { isTemporarilyUnavailable, type CallResult } from './call-result.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto, newVideo, pauseAtHalf } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

const GUESTS = 200
// The gateways balance them round-robin, so that each replica has some.
const VIDEOS = 4
// How many guests send at a time, without a pause: so a slow machine has no more to do at once than a fast one.
const SENDERS = 10
// Enough to finish everything that is in flight at shutdown, also on a busy machine. An hour in production.
const shutdownGrace = { SHUTDOWN_GRACE_MS: '120000' }

let blobs: BlobProxy
let harness: FaultHarness

beforeAll(async () => {
  blobs = await startBlobProxy(testBackends().blob)
  harness = await startFaultHarness({
    proxyBackends: () => Promise.resolve({ blob: blobs.url }),
    replicas: { uploads: 2, media: 2, gateway: 2 },
    environment: {
      ...Object.fromEntries(serviceNames.map((name) => [name, shutdownGrace])),
      uploads: { ...shutdownGrace, BLOB_PUBLIC_URL: blobs.publicUrl },
    },
  })
}, 180_000)
afterAll(async () => {
  await harness.stop()
  await blobs.close()
}, 60_000)

/** Sends the first halves of videos. Resolves when blocks of each are in blob storage, with how to send the rest. */
const sendFirstHalves = async ({ guest }: ScenarioContext) => {
  const storedBytes = new Map<string, number>()
  blobs.hooks.before = ({ operation, blob, size }) => {
    if (operation === 'Put Block') storedBytes.set(blob, (storedBytes.get(blob) ?? 0) + size)
    return undefined
  }
  // The photos of this scenario are smaller than 1 MB.
  const countVideos = () => [...storedBytes.values()].filter((size) => size > MB).length
  const videos = await Promise.all(
    // Of more than two blocks each.
    Array.from({ length: VIDEOS }, async () => pauseAtHalf(await newVideo(9))),
  )
  const sent = videos.map(({ file }) => guest().send(file))
  await Promise.all(videos.map(({ reachedHalf }, n) => Promise.race([reachedHalf, sent[n]])))
  await eventually(() => countVideos() === VIDEOS, 'blocks of each video in blob storage')
  return {
    sendRest: (): Promise<CallResult[]> => {
      for (const { resume } of videos) resume()
      return Promise.all(sent)
    },
  }
}

/** Resolves when a service has logged its shutdown since line `from`. */
const waitForShutdownLog = (from: number): Promise<unknown> =>
  eventually(
    () => harness.system.log.slice(from).some((line) => line.includes('"shutting down"')),
    'the service starting to shut down',
  )

test('When every service is restarted one by one under 200 guests, then uploads in flight are finished and each photo is stored once', () =>
  runScenario(harness, async (context) => {
    const { guest, uploadLog, results } = context
    const replicas = serviceNames.flatMap((name) => harness.system.replicas(name))
    const guests = Array.from({ length: GUESTS }, () => ({ ...guest(), photo: newPhoto() }))
    const allRestarted = new AbortController()
    const photos = new Set<string>()
    // Guests mostly send the same photo again: verifying a new one each time would take too long.
    const sending = Array.from({ length: SENDERS }, async (_, sender) => {
      const group = guests.filter((__, n) => n % SENDERS === sender)
      const sendInTurn = async (): Promise<void> => {
        for (const { photo, sendUntilStored } of group) {
          const file = await photo
          photos.add(file.sha256)
          await sendUntilStored(file)
        }
      }
      while (!allRestarted.signal.aborted) await sendInTurn()
      await sendInTurn()
    })
    for (const [step, replica] of replicas.entries()) {
      const halves = await sendFirstHalves(context)
      const from = harness.system.log.length
      const stopped = replica.stop('SIGTERM')
      for (const [n, each] of guests.entries()) if (n % replicas.length === step) each.photo = newPhoto()
      await waitForShutdownLog(from)
      // A second SIGTERM must not change anything.
      replica.signal('SIGTERM')
      for (const result of await halves.sendRest()) expect(result).toMatchObject({ status: 201 })
      expect(await stopped).toBe(0)
      await replica.restart()
      // Guests are connected to gateways only. A gateway closes idle connections when it stops, which breaks a request
      // that is sent at that moment.
      if (replica.name !== 'gateway')
        expect(results.filter(({ connectionLost }) => connectionLost)).toEqual([])
    }
    allRestarted.abort()
    await Promise.all(sending)
    const responses = results.filter(({ connectionLost }) => !connectionLost)
    for (const response of responses)
      if (!isTemporarilyUnavailable(response)) expect(response).toMatchObject({ status: 201 })
    expect(uploadLog.acknowledgedCount()).toBe(photos.size + VIDEOS * replicas.length)
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
