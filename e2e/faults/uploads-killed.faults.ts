import { setTimeout as sleep } from 'node:timers/promises'
import { testBackends, startTcpProxy, type TcpProxy } from '@confetti/test-kit'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { startBlobProxy, type BlobCall, type BlobProxy } from './blob-proxy.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto, newVideo, type GuestFile } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'
import { whenSwept } from './stored-blobs.ts'

let stand: FaultStand
let blobs: BlobProxy
let mongo: TcpProxy
beforeAll(async () => {
  stand = await startFaultStand({
    environment: {
      // Longer than any request here lasts, and still soon over.
      uploads: { LONGEST_UPLOAD_MS: '10000', LEFTOVER_AGE_MS: '15000', SWEEP_INTERVAL_MS: '1000' },
      // What the worker stores is none of the calls under which uploads is killed.
      media: { BLOB_CONNECTION_STRING: testBackends().blob },
    },
    through: async (addresses) => {
      blobs = await startBlobProxy(addresses.blob)
      mongo = await startTcpProxy(addresses.mongo)
      return { blob: blobs.url, mongo: mongo.url }
    },
  })
}, 180_000)
afterAll(async () => {
  await stand.stop()
  await Promise.all([blobs.close(), mongo.close()])
}, 60_000)
beforeEach(() => {
  answered = Promise.withResolvers()
  killed = Promise.withResolvers()
  blobs.hooks.before = undefined
  blobs.hooks.after = undefined
  mongo.hooks.onRequest = undefined
  mongo.hooks.onReply = undefined
})

const uploads = () => {
  const [only] = stand.system.replicas('uploads')
  if (!only) throw new Error('uploads does not run')
  return only
}
// Far longer than a record takes to be written.
const COMMIT_HELD_MS = 3_000
let answered = Promise.withResolvers<undefined>()
let killed = Promise.withResolvers<undefined>()

const kill = async (): Promise<void> => {
  await uploads().stop('SIGKILL')
  killed.resolve(undefined)
}

/** Kills uploads when it makes that call for the `nth` time, which blob storage never gets. */
const killBefore = (operation: BlobCall['operation'], nth: number): void => {
  let calls = 0
  blobs.hooks.before = async (call) => {
    if (call.operation === operation) calls += 1
    if (call.operation !== operation || calls !== nth) return undefined
    await kill()
    return 'silence'
  }
}

/** Kills uploads while the bytes of a photo wait to be taken, or as soon as it has answered without them. */
const killWhileUncommitted = (): void => {
  blobs.hooks.before = async ({ operation }) => {
    if (operation !== 'Put Blob') return undefined
    blobs.hooks.before = undefined
    await Promise.race([answered.promise, sleep(COMMIT_HELD_MS)])
    await kill()
    return 'silence'
  }
}

/** Kills uploads when blob storage has done what it was called for, before uploads has heard of it. */
const killAfter = (operation: BlobCall['operation']): void => {
  blobs.hooks.after = async (call) => {
    if (call.operation !== operation) return
    blobs.hooks.after = undefined
    await kill()
  }
}

/** Kills uploads when the database has written the upload's record, before uploads has heard of it. */
const killAfterRecord = (): void => {
  let writer: number | undefined
  mongo.hooks.onRequest = (chunk, connection) => {
    if (chunk.includes('insert\0') && chunk.includes('uploads\0')) writer = connection
  }
  mongo.hooks.onReply = async (chunk, connection) => {
    if (connection !== writer) return
    writer = undefined
    // The first name that is tried for a file may be taken.
    if (chunk.includes('writeErrors')) return
    mongo.hooks.onReply = undefined
    await kill()
  }
}

/** One guest was early, one meets the kill, one comes while uploads is away; then it is there again. */
const killedUnder = async ({ guest, violated }: Scene, arm: () => void, file: GuestFile): Promise<void> => {
  const [victim, bystander] = [guest(undefined, { hangMs: 20_000 }), guest()]
  await guest().sendUntilKept(await newPhoto())
  arm()
  const seen = await victim.send(file)
  if (seen.lost || seen.status !== 502)
    violated({ kind: 'answer', what: `whose file it had was not told 502: ${JSON.stringify(seen)}` })
  answered.resolve(undefined)
  await killed.promise
  expect(await bystander.send(await newPhoto())).toMatchObject({ status: 503, code: 'unavailable' })
  await uploads().restart()
  await victim.sendUntilKept(file)
  await bystander.sendUntilKept(await newPhoto())
}

const points: [string, () => void, () => Promise<GuestFile>][] = [
  ['before the first block', () => killBefore('Put Block', 1), () => newVideo(20)],
  ['in mid-stream', () => killBefore('Put Block', 3), () => newVideo(20)],
  ['while it commits a photo', killWhileUncommitted, () => newPhoto()],
  [
    'after the commit of a video and before its record',
    () => killAfter('Put Block List'),
    () => newVideo(20),
  ],
  ['after the commit of a photo and before its record', () => killAfter('Put Blob'), () => newPhoto()],
  ['after the record and before the answer', killAfterRecord, () => newPhoto()],
]

test.each(points)(
  'When uploads is killed %s, then the guest is told at once, sends again, and the file is there once',
  async (_, arm, newFile) =>
    play(stand, async (scene) => {
      await killedUnder(scene, arm, await newFile())
      await whenSwept(stand)
    }),
)

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
