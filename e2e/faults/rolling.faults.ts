import { setTimeout as sleep } from 'node:timers/promises'
import { MB } from '@confetti/contracts'
import type { ServiceName } from '@confetti/launcher'
import { eventually, testBackends } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startBlobProxy, type BlobProxy } from './blob-proxy.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto, newVideo, stoppedAtHalf } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'
import { saysComeAgain, type Seen } from './seen.ts'

const GUESTS = 200
// The replicas take them in turn, so that each has some.
const VIDEOS = 4
// Of each guest, between two photos.
const PAUSE_MS = 10_000
const order: readonly ServiceName[] = ['auth', 'events', 'uploads', 'contact', 'media', 'gateway']
// Enough for what is under way when a service is told to go, on a busy machine too. In production it is an hour.
const patient = { SHUTDOWN_GRACE_MS: '120000' }

let blobs: BlobProxy
let stand: FaultStand

beforeAll(async () => {
  blobs = await startBlobProxy(testBackends().blob)
  stand = await startFaultStand({
    through: () => Promise.resolve({ blob: blobs.url }),
    replicas: { uploads: 2, media: 2, gateway: 2 },
    environment: {
      ...Object.fromEntries(order.map((name) => [name, patient])),
      uploads: { ...patient, BLOB_PUBLIC_URL: blobs.publicUrl },
    },
  })
}, 180_000)
afterAll(async () => {
  await stand.stop()
  await blobs.close()
}, 60_000)

/** Resolves when videos are half sent, and something of each is in blob storage; with how to send the rest. */
const sendHalves = async ({ guest }: Scene) => {
  const stored = new Map<string, number>()
  blobs.hooks.before = ({ operation, blob, size }) => {
    if (operation === 'Put Block') stored.set(blob, (stored.get(blob) ?? 0) + size)
    return undefined
  }
  // No photo of this scenario is as large.
  const begun = () => [...stored.values()].filter((size) => size > MB).length
  const videos = await Promise.all(
    // Of more than two blocks each.
    Array.from({ length: VIDEOS }, async () => stoppedAtHalf(await newVideo(9))),
  )
  const answers = videos.map(({ file }) => guest().send(file))
  await Promise.all(videos.map(({ half }, n) => Promise.race([half, answers[n]])))
  await eventually(() => begun() === VIDEOS, 'the beginning of each video in blob storage')
  return {
    sendRest: (): Promise<Seen[]> => {
      for (const { letGo } of videos) letGo()
      return Promise.all(answers)
    },
  }
}

const whenGoing = (from: number): Promise<unknown> =>
  eventually(
    () => stand.system.log.slice(from).some((line) => line.includes('"shutting down"')),
    'the service beginning to go',
  )

test('When every service is restarted one by one under 200 guests, then what is under way is finished and each photo is kept once', () =>
  play(stand, async (scene) => {
    const { guest, ledger, seen } = scene
    const replicas = order.flatMap((name) => stand.system.replicas(name))
    const guests = Array.from({ length: GUESTS }, () => ({ ...guest(), photo: newPhoto() }))
    const allBack = new AbortController()
    // Mostly the photo that they sent before: more could not be looked at afterwards.
    const sending = guests.map(async (one) => {
      while (!allBack.signal.aborted) {
        await one.sendUntilKept(await one.photo)
        await sleep(PAUSE_MS)
      }
      await one.sendUntilKept(await one.photo)
    })
    for (const [step, replica] of replicas.entries()) {
      const halves = await sendHalves(scene)
      const from = stand.system.log.length
      const gone = replica.stop('SIGTERM')
      for (const [n, one] of guests.entries()) if (n % replicas.length === step) one.photo = newPhoto()
      await whenGoing(from)
      // Told twice, it goes on as it was.
      replica.signal('SIGTERM')
      for (const each of await halves.sendRest()) expect(each).toMatchObject({ status: 201 })
      expect(await gone).toBe(0)
      await replica.restart()
      // Guests are connected to gateways alone, which close what is idle: who begins just then may be cut off.
      if (replica.name !== 'gateway') expect(seen.filter(({ lost }) => lost)).toEqual([])
    }
    allBack.abort()
    await Promise.all(sending)
    const answers = seen.filter(({ lost }) => !lost)
    for (const each of answers) if (!saysComeAgain(each)) expect(each).toMatchObject({ status: 201 })
    expect(ledger.count()).toBe(2 * GUESTS + VIDEOS * replicas.length)
  }))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
