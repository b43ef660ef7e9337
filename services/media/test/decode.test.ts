import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants, getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, sample, sampleNames, type SampleName } from '@confetti/test-kit'
import type { MediaType } from '@confetti/contracts'
import sharp from 'sharp'
import { makeDecode } from '../src/decode/decode.ts'
import { DecoderDied, MediaProblem } from '../src/decode/media-problem.ts'
import type { Programs } from '../src/decode/programs.ts'
import { runProgram } from '../src/decode/run-program.ts'
import { jpegOf, pngBomb, truncated, truncatedVideo, uprightVideo } from './files.ts'
import { processesWith } from './processes.ts'

const settings = {
  maxMegapixels: 120,
  memoryBytes: 1_073_741_824,
  timeLimitMs: 60_000,
  path: process.env.PATH ?? '',
  programs: { heif: 'libheif-js', video: true, prlimit: true } satisfies Programs as Programs,
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-decode-'))
})
afterAll(() => rm(folder, { recursive: true }))

const typeOf = (name: string): MediaType =>
  name.endsWith('.mp4') ? 'video/mp4' : name.endsWith('.mov') ? 'video/quicktime' : 'image/jpeg'

const decode = async (name: string, bytes: Uint8Array, changes: Partial<typeof settings> = {}) => {
  const own = await mkdtemp(join(folder, 'job-'))
  const file = join(own, 'original')
  await writeFile(file, bytes)
  return makeDecode({ ...settings, ...changes })({ file, folder: own, contentType: typeOf(name) })
}
const decodeSample = async (name: SampleName, changes: Partial<typeof settings> = {}) =>
  decode(name, await sample(name), changes)

const expected: Record<SampleName, object> = {
  'animated.gif': { width: 240, height: 180 },
  'camera-gps.jpg': { width: 640, height: 480, takenAt: '2008-10-22T16:28:39' },
  'gradient.png': { width: 1000, height: 1000 },
  'iphone-13.heic': { width: 3024, height: 4032, takenAt: '2022-02-16T12:55:41+01:00' },
  'orientation-6.jpg': { width: 450, height: 600 },
  'phone-jolla.jpg': { width: 3264, height: 2448, takenAt: '2014-09-21T16:00:56' },
  'photo.webp': { width: 1024, height: 772 },
  'small.heif': { width: 640, height: 426 },
  'video.mov': { width: 320, height: 240, durationSeconds: 7.8 },
  'video.mp4': { width: 320, height: 240, durationSeconds: 7.8, takenAt: '2012-03-31T19:46:48Z' },
}

test.each(sampleNames)(
  'When %s is decoded, then there are a thumbnail and a preview, whole and upright',
  async (name) => {
    const { measures, thumbnail, preview } = await decodeSample(name)
    expect(measures).toEqual(expected[name])
    for (const [bytes, limit] of [
      [thumbnail, 400],
      [preview, 1_600],
    ] as const) {
      const scale = Math.min(1, limit / Math.max(measures.width, measures.height))
      const { format, width, height, exif, icc, xmp, orientation } = await sharp(bytes).metadata()
      expect({ format, width, height, exif, icc, xmp, orientation }).toEqual({
        format: 'webp',
        width: Math.round(measures.width * scale),
        height: Math.round(measures.height * scale),
      })
    }
  },
)

/** A small grey picture of a preview, to see whether two show the same. */
const glance = (preview: Uint8Array) =>
  sharp(preview).resize(16, 16, { fit: 'fill' }).greyscale().raw().toBuffer()

test('When heif-convert decodes an iPhone photo, then it shows the same as by libheif-js', async () => {
  const [one, other] = await Promise.all([
    decodeSample('iphone-13.heic'),
    decodeSample('iphone-13.heic', { programs: { ...settings.programs, heif: 'heif-convert' } }),
  ])
  expect(other.measures).toEqual(one.measures)
  const [a, b] = await Promise.all([glance(one.preview), glance(other.preview)])
  const difference = a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
  expect(difference).toBeLessThan(8)
})

test('When a camera has written a turned photo, then the preview shows it as a viewer would', async () => {
  const { preview } = await decodeSample('orientation-6.jpg')
  const viewed = await sharp(await sample('orientation-6.jpg'))
    .autoOrient()
    .toBuffer()
  const [a, b] = await Promise.all([glance(preview), glance(viewed)])
  const difference = a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
  expect(difference).toBeLessThan(4)
})

test('When a phone has recorded upright, then the poster is upright', async () => {
  const { measures, preview } = await decode('upright.mp4', await uprightVideo())
  expect(measures).toMatchObject({ width: 240, height: 320 })
  expect(await sharp(preview).metadata()).toMatchObject({ width: 240, height: 320 })
})

test('When a phone shoots 108 megapixels, then they are shown', async () => {
  const { measures, preview } = await decode('large.jpg', await jpegOf(12_000, 9_000))
  expect(measures).toEqual({ width: 12_000, height: 9_000 })
  expect(await sharp(preview).metadata()).toMatchObject({ width: 1_600, height: 1_200 })
})

const tooMany = 'The photo has more than 120 megapixels.'
const noPhoto = 'The file is not a photo that can be opened.'
const noVideo = 'The file is not a video that can be opened.'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>'
test.each<[string, string, () => Promise<Uint8Array> | Uint8Array, string]>([
  ['a JPEG of 280 megapixels', 'a.jpg', () => jpegOf(20_000, 14_000), tooMany],
  ['a PNG bomb', 'a.png', pngBomb, tooMany],
  ['a truncated JPEG', 'a.jpg', () => truncated('phone-jolla.jpg'), 'The photo is damaged.'],
  ['a truncated PNG', 'a.png', () => truncated('gradient.png'), 'The photo is damaged.'],
  ['a truncated HEIC', 'a.heic', () => truncated('iphone-13.heic'), 'The photo is damaged.'],
  ['text named .jpg', 'a.jpg', () => Buffer.from('Not a photo at all.'), noPhoto],
  ['a script that begins like a GIF', 'a.gif', () => Buffer.from('GIF89a/*'), noPhoto],
  [
    'a script that begins like a JPEG',
    'a.jpg',
    () => Buffer.from('\xff\xd8\xff\xe0<script>', 'latin1'),
    noPhoto,
  ],
  ['an SVG', 'a.png', () => Buffer.from(svg), noPhoto],
  ['nothing', 'a.jpg', () => Buffer.alloc(0), noPhoto],
  ['a video that calls itself a photo', 'a.jpg', () => sample('video.mp4'), noPhoto],
  ['a photo that calls itself a video', 'a.mp4', () => sample('phone-jolla.jpg'), noVideo],
  [
    'a playlist that calls itself a video',
    'a.mp4',
    () => Buffer.from('#EXTM3U\n#EXTINF:1,\n/etc/passwd\n'),
    noVideo,
  ],
  ['a video that was cut off', 'a.mp4', truncatedVideo, 'The video is incomplete.'],
  ['a video without its index', 'a.mov', () => truncated('video.mov'), noVideo],
])('When a guest sends %s, then the file is at fault, and why is clear', async (_, name, bytes, reason) => {
  await expect(decode(name, await bytes())).rejects.toEqual(new MediaProblem(reason))
})

test('When a HEIC is truncated, then heif-convert says so too', async () => {
  const programs: Programs = { ...settings.programs, heif: 'heif-convert' }
  const decoding = decode('a.heic', await truncated('iphone-13.heic'), { programs })
  await expect(decoding).rejects.toEqual(new MediaProblem('The photo is damaged.'))
})

test('When a photo takes too long, then it is refused and nothing goes on running', async () => {
  const decoding = decodeSample('iphone-13.heic', { timeLimitMs: 600 })
  await expect(decoding).rejects.toEqual(new MediaProblem('The file takes too long to open.'))
  expect(await processesWith(folder)).toEqual([])
})

const tenMinutes = ['-f', 'lavfi', '-i', 'testsrc=size=1920x1080:rate=60', '-t', '600', '-f', 'null', '-']
test.each([
  ['a program', 'sh', ['-c', 'while :; do :; done']],
  ['ffmpeg, which answers the signal by itself', 'ffmpeg', ['-v', 'error', ...tenMinutes]],
])('When %s uses up its processor time on a file, then the file is refused', async (_, name, args) => {
  const job = { ...settings, timeLimitMs: 1_000, file: '', folder, video: false }
  await expect(runProgram(name, args, job)).rejects.toEqual(
    new MediaProblem('The file takes too long to open.'),
  )
})

/** The pid of the decoder that runs. */
const running = (): Promise<number> => eventually(async () => (await processesWith(folder))[0], 'a decoder')

test('When a decoder runs, then what takes photos in goes before it', async () => {
  const decoding = decodeSample('iphone-13.heic')
  expect(getPriority(await running())).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
  await decoding
})

test('When a decoder is kept from working, then the file is not said to be at fault', async () => {
  const decoding = decodeSample('iphone-13.heic', { timeLimitMs: 1_000 })
  process.kill(await running(), 'SIGSTOP')
  await expect(decoding).rejects.toBeInstanceOf(DecoderDied)
})

test('When a photo needs more memory than there is, then it is refused', async () => {
  const decoding = decodeSample('iphone-13.heic', { memoryBytes: 160 * 1_048_576 })
  await expect(decoding).rejects.toEqual(new MediaProblem('The file needs too much memory to open.'))
})

test('When something kills a decoder, then the file is not said to be at fault', async () => {
  const decoding = decodeSample('iphone-13.heic')
  process.kill(await running(), 'SIGKILL')
  await expect(decoding).rejects.toBeInstanceOf(DecoderDied)
})

test('When a worker has no ffmpeg, then its videos wait for one that has', async () => {
  const decoding = decodeSample('video.mp4', { programs: { ...settings.programs, video: false } })
  await expect(decoding).rejects.toThrow('ffmpeg or ffprobe is not on the PATH')
  await expect(decoding).rejects.not.toBeInstanceOf(MediaProblem)
})
