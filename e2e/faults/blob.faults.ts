import type { ServiceProcess } from '@confetti/launcher'
import { sendFiles, testBackends, uniquePhoto } from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { startBlobProxy, type BlobProxy } from './blob-proxy.ts'
import { whenDecoding } from './decoders.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto, newVideo, stoppedAtHalf, type GuestFile } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'
import type { Seen } from './seen.ts'
import { whenMemoryIsGivenBack, whenSwept } from './stored-blobs.ts'

// In production it is 45 s.
const BLOB_TIME_LIMIT_MS = 8_000
// Sooner than two calls that hang, one after the other, would let a guest have an answer.
const HANG_MS = 14_000

let blobs: BlobProxy
let stand: FaultStand

beforeAll(async () => {
  blobs = await startBlobProxy(testBackends().blob)
  stand = await startFaultStand({
    through: () => Promise.resolve({ blob: blobs.url }),
    environment: {
      uploads: {
        BLOB_PUBLIC_URL: blobs.publicUrl,
        BLOB_TIME_LIMIT_MS: String(BLOB_TIME_LIMIT_MS),
        // Longer than any request of these scenarios lasts.
        LONGEST_UPLOAD_MS: '20000',
        LEFTOVER_AGE_MS: '30000',
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
  await stand.stop()
  await blobs.close()
}, 60_000)

const worker = (): ServiceProcess => {
  const [one] = stand.system.replicas('media')
  if (!one) throw new Error('A media worker was asked for')
  return one
}

/** Guests with a photo each, and one with a video of several blocks. */
const sendAll = async ({ guest }: Scene) => {
  const files: GuestFile[] = [await newVideo(12)]
  for (let n = 0; n < 9; n += 1) files.push(await newPhoto())
  const guests = files.map((file) => ({ file, ...guest(undefined, { hangMs: HANG_MS }) }))
  return {
    once: () => Promise.all(guests.map(({ file, send }) => send(file))),
    untilKept: () => Promise.all(guests.map(({ file, sendUntilKept }) => sendUntilKept(file))),
  }
}

const expectBusy = (seen: readonly Seen[]): void => {
  for (const each of seen)
    expect(each).toMatchObject({
      status: 503,
      retryAfter: 2,
      message: 'The upload could not be stored right now. Please try again in a moment.',
    })
}

test.each([
  { words: 'refuses', mode: 'refuse' },
  { words: 'hangs', mode: 'hang' },
  { words: 'is slow', mode: 'slow' },
] as const)(
  'When blob storage $words, then guests are told to come again, and are kept when it is back',
  ({ mode }) =>
    play(stand, async (scene) => {
      const guests = await sendAll(scene)
      const video = await newVideo(12)
      const early = Array.from({ length: 6 }, async () =>
        scene.guest().sendUntilKept(await newPhoto('iphone-13.heic')),
      )
      await Promise.all(early)
      const { file, half, letGo } = stoppedAtHalf(video)
      const filming = scene.guest()
      const answer = filming.send(file)
      await Promise.all([half, whenDecoding(worker())])
      blobs.mode(mode)
      letGo()
      expectBusy([...(await guests.once()), await answer])
      await whenMemoryIsGivenBack(stand)
      blobs.mode('pass')
      await Promise.all([guests.untilKept(), filming.sendUntilKept(video)])
      await whenSwept(stand)
    }),
)

/** Sends three photos in one form; what the guest is told. */
const sendForm = async ({ event, saw }: Scene): Promise<Seen> => {
  const files = await Promise.all(
    ['1.jpg', '2.jpg', '3.jpg'].map(async (name) => ({ name, bytes: await uniquePhoto() })),
  )
  const started = performance.now()
  const { status, headers, body } = await sendFiles(stand.api, event._id, files)
  const seen: Seen = {
    lost: false,
    ms: performance.now() - started,
    status,
    code: body.code as string,
    message: body.message as string,
    ...(headers.has('retry-after') && { retryAfter: Number(headers.get('retry-after')) }),
  }
  saw(seen, 'a form of three photos', HANG_MS)
  return seen
}

// While files are received, and while they are kept.
test.each(['Put Block', 'Put Block List'] as const)(
  'When blob storage falls silent at the first %s of a form of several files, then the guest is told as soon as of one',
  (first) =>
    play(stand, async (scene) => {
      let silent = false
      blobs.hooks.before = ({ operation }) => {
        silent ||= operation === first
        return silent ? 'silence' : undefined
      }
      expectBusy([await sendForm(scene)])
      delete blobs.hooks.before
      await whenSwept(stand)
    }),
)

test('When blob storage is busy for a moment, then guests do not notice', () =>
  play(stand, async ({ guest }) => {
    const refused = new Set<string>()
    blobs.hooks.before = ({ operation, blob }) => {
      const call = `${operation} ${blob}`
      if (operation === 'other' || refused.has(call)) return undefined
      refused.add(call)
      return 'busy'
    }
    for (const file of [await newPhoto(), await newVideo(6)])
      expect(await guest().send(file)).toMatchObject({ status: 201 })
    expect(refused.size).toBeGreaterThan(0)
  }))

test.each(['Put Blob', 'Put Block List'] as const)(
  'When blob storage has done a %s and its answer is lost, then the file is there once in the end',
  (operation) =>
    play(stand, async ({ guest }) => {
      const file = operation === 'Put Blob' ? await newPhoto() : await newVideo(6)
      const lost = Promise.withResolvers<undefined>()
      blobs.hooks.after = (call) => (call.operation === operation ? lost.promise : undefined)
      const sender = guest(undefined, { hangMs: HANG_MS })
      expectBusy([await sender.send(file)])
      await whenMemoryIsGivenBack(stand)
      delete blobs.hooks.after
      lost.resolve(undefined)
      await sender.sendUntilKept(file)
      await whenSwept(stand)
    }),
)

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
