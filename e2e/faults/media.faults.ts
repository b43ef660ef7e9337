import sharp from 'sharp'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually, sample } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads } from '../stand.ts'
import { decodersOf, whenDecoding } from './decoders.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { fileOf, newPhoto, type GuestFile } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'

let stand: FaultStand

beforeAll(async () => {
  stand = await startFaultStand({
    replicas: { media: 2 },
    environment: {
      // The slower way for HEIC leaves a scenario the time to interfere; a file that hangs is given up soon.
      media: { HEIF_DECODER: 'libheif-js', DECODE_TIME_LIMIT_MS: '8000' },
    },
  })
}, 180_000)
afterAll(() => stand.stop(), 60_000)

const workers = (): [ServiceProcess, ServiceProcess] => {
  const [one, other] = stand.system.replicas('media')
  if (!one || !other) throw new Error('Two workers were asked for')
  return [one, other]
}

/** As many photos as keep both workers busy for a while. */
const sendHeics = async ({ guest }: Scene, count: number): Promise<void> => {
  const one = guest()
  for (let n = 0; n < count; n += 1) await one.sendUntilKept(await newPhoto('iphone-13.heic'))
}

const whenReady = ({ event }: Scene, count: number): Promise<unknown> =>
  eventually(
    async () =>
      (await listUploads(stand, event._id)).filter(({ status }) => status === 'ready').length >= count,
    `${count} uploads being ready`,
    150_000,
  )

test('When both media workers are killed in mid-job, then each photo is ready once they are back', () =>
  play(stand, async (scene) => {
    const killed = workers().map(async (worker) => {
      await whenDecoding(worker)
      await worker.stop('SIGKILL')
    })
    await sendHeics(scene, 6)
    await Promise.all(killed)
    // Nothing that a guest would notice.
    await sendHeics(scene, 1)
    await Promise.all(workers().map((worker) => worker.restart()))
  }))

test('When a media worker is frozen in mid-job, then the other does its jobs, and what it says when thawed changes nothing', () =>
  play(stand, async (scene) => {
    const [frozen] = workers()
    const freezing = whenDecoding(frozen).then(() => frozen.signal('SIGSTOP'))
    await sendHeics(scene, 6)
    await freezing
    await whenReady(scene, 6)
    frozen.signal('SIGCONT')
    await sendHeics(scene, 2)
  }))

/** 268 megapixels in some 100 kB. */
const bomb = async (): Promise<GuestFile> => {
  const pixels = { raw: { width: 16_384, height: 16_384, channels: 1 as const }, limitInputPixels: false }
  const bytes = await sharp(Buffer.alloc(16_384 * 16_384, Math.random() * 255), pixels)
    .png()
    .toBuffer()
  return fileOf('bomb.png', () => [bytes])
}

const cutShort = async (): Promise<GuestFile> => {
  const whole = await sample('iphone-13.heic')
  const bytes = whole.subarray(0, Math.floor(whole.length * 0.6))
  return fileOf('cut-short.heic', () => [bytes])
}

test('When files are sent that no decoder can open, then they fail with a reason and those behind them are ready', () =>
  play(
    stand,
    async (scene) => {
      const guest = scene.guest()
      for (const poison of [await bomb(), await cutShort(), await bomb()]) await guest.sendUntilKept(poison)
      await guest.sendUntilKept(await newPhoto())
      await whenReady(scene, 1)
    },
    { unfit: ['bomb.png', 'cut-short.heic'] },
  ))

test('When a decoder hangs, then the others are ready meanwhile and its file is tried again', () =>
  play(
    stand,
    async (scene) => {
      const guest = scene.guest()
      const slow = await newPhoto('iphone-13.heic')
      await guest.sendUntilKept({ ...slow, name: 'slow.heic' })
      const [one, other] = workers()
      const decoder = await eventually(
        async () => (await decodersOf(one))[0] ?? (await decodersOf(other))[0],
        'the slow file being decoded',
      )
      // It will never end by itself, and uses no processor time for which its file could be blamed.
      process.kill(decoder, 'SIGSTOP')
      for (let n = 0; n < 5; n += 1) await guest.sendUntilKept(await newPhoto())
      await whenReady(scene, 5)
      const [last] = (await listUploads(stand, scene.event._id)).filter(
        ({ originalName }) => originalName === 'slow.heic',
      )
      expect(last?.status).toBe('processing')
    },
    { withinMs: 240_000 },
  ))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
