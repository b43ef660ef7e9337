import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants, getPriority, tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, readSample, sampleNames, samples, type SampleName } from '@confetti/test-kit'
import type { MediaType } from '@confetti/contracts'
import sharp from 'sharp'
import { makeDecode } from '../src/decode/decode.ts'
import { DecoderCrashError, UnprocessableMediaError } from '../src/decode/decoder-protocol.ts'
import { runProgram, type Programs } from '../src/decode/programs.ts'
import { settings } from './decoder-settings.ts'
import {
  highDynamicRangeVideo,
  ios18Photo,
  jpegHeader,
  jpegOf,
  pngBomb,
  portraitVideo,
  truncated,
  truncatedVideo,
} from './files.ts'
import { processesWith } from './processes.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-decode-'))
})
afterAll(() => rm(folder, { recursive: true }))

const typeOf = (name: string): MediaType =>
  (
    ({
      '.mp4': 'video/mp4',
      '.mov': 'video/quicktime',
      '.heic': 'image/heic',
      '.heif': 'image/heic',
    }) as const
  )[extname(name)] ?? 'image/jpeg'

const decode = async (name: string, bytes: Uint8Array, changes: Partial<typeof settings> = {}) => {
  const jobFolder = await mkdtemp(join(folder, 'job-'))
  const file = join(jobFolder, 'original')
  await writeFile(file, bytes)
  return makeDecode({ ...settings, ...changes })({ file, folder: jobFolder, contentType: typeOf(name) })
}
const decodeSample = async (name: SampleName, changes: Partial<typeof settings> = {}) =>
  decode(name, await readSample(name), changes)
/** The one photo that takes seconds to decode, which several tests look at. */
let decodedHeic: ReturnType<typeof decode> | undefined

test.each(sampleNames)(
  'When %s is decoded, then thumbnail and preview are complete and upright',
  async (name) => {
    const decoding = decodeSample(name)
    if (name === 'iphone-13.heic') decodedHeic = decoding
    const { metadata, thumbnail, preview } = await decoding
    expect(metadata).toEqual(samples[name])
    for (const [bytes, limit] of [
      [thumbnail, 400],
      [preview, 1_600],
    ] as const) {
      const scale = Math.min(1, limit / Math.max(metadata.width, metadata.height))
      const { format, width, height, exif, icc, xmp, orientation } = await sharp(bytes).metadata()
      expect({ format, width, height, exif, icc, xmp, orientation }).toEqual({
        format: 'webp',
        width: Math.round(metadata.width * scale),
        height: Math.round(metadata.height * scale),
      })
    }
  },
)

/** The mean difference of two images, from 0 to 255, after scaling both to 16 by 16 pixels. */
const meanDifference = async (one: Uint8Array, other: Uint8Array): Promise<number> => {
  const scaled = (image: Uint8Array) =>
    sharp(image).resize(16, 16, { fit: 'fill' }).flatten().toColourspace('srgb').raw().toBuffer()
  const [a, b] = await Promise.all([scaled(one), scaled(other)])
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}

test.each([
  ['arib-std-b67', 'gray'],
  ['arib-std-b67', 'indianred'],
  ['smpte2084', 'gray'],
] as const)(
  'When a video has the high dynamic range %s, then its poster of %s looks as it should',
  async (transfer, colour) => {
    const reference = sharp({ create: { width: 320, height: 180, channels: 3, background: colour } })
    const { preview } = await decode('video.mov', await highDynamicRangeVideo(colour, transfer))
    expect(await meanDifference(preview, await reference.png().toBuffer())).toBeLessThan(15)
  },
)

test('When heif-convert decodes an iPhone photo, then the preview looks the same as with libheif-js', async () => {
  const [one, other] = await Promise.all([
    decodedHeic ?? decodeSample('iphone-13.heic'),
    decodeSample('iphone-13.heic', { programs: { ...settings.programs, heifDecoders: ['heif-convert'] } }),
  ])
  expect(other.metadata).toEqual(one.metadata)
  expect(await meanDifference(one.preview, other.preview)).toBeLessThan(8)
})

test.each(['jpeg', 'png', 'webp'] as const)(
  'When a %s has a Display P3 profile, then its colours are converted to sRGB',
  async (format) => {
    const photo = await sharp(await readSample('phone-jolla.jpg'))
      .resize(800)
      .withIccProfile('p3')
      .toFormat(format)
      .toBuffer()
    const { preview } = await decode('a.jpg', photo)
    const converted = await sharp(photo).toColourspace('srgb').png().toBuffer()
    // 12 if they are not converted; the compression of the preview causes 1.6.
    expect(await meanDifference(preview, converted)).toBeLessThan(3)
  },
)

test.each([
  ['a phone', 'phone-jolla.jpg', 0.6],
  ['a camera', 'camera-gps.jpg', 0.6],
  ['another phone, almost whole', 'orientation-6.jpg', 0.995],
  ['a phone, hardly begun', 'phone-jolla.jpg', 0.05],
] as const)(
  'When a JPEG of %s is cut off, then it shows what is there and is marked as damaged',
  async (_, name, share) => {
    const { metadata, thumbnail, preview } = await decode('a.jpg', await truncated(name, share))
    expect(metadata).toEqual({ ...samples[name], isDamaged: true })
    const whole = await decodeSample(name)
    const [difference, size] = await Promise.all([
      meanDifference(preview, whole.preview),
      sharp(thumbnail).metadata(),
    ])
    expect(size).toMatchObject({ format: 'webp' })
    // Of a photo and plain grey: 40 to 70.
    expect(difference).toBeLessThan(share > 0.5 ? 35 : 70)
  },
)

test('When a progressive JPEG with a profile is cut off, then it shows what is there and is marked as damaged', async () => {
  const photo = await sharp(await readSample('phone-jolla.jpg'))
    .withIccProfile('p3')
    .jpeg({ progressive: true })
    .toBuffer()
  const { metadata, preview } = await decode('a.jpg', photo.subarray(0, photo.length * 0.6))
  expect(metadata).toEqual({ width: 3_264, height: 2_448, isDamaged: true })
  expect(await meanDifference(preview, photo)).toBeLessThan(10)
})

test('When a photo has an EXIF orientation, then the preview is rotated by it', async () => {
  const { preview } = await decodeSample('orientation-6.jpg')
  const rotated = await sharp(await readSample('orientation-6.jpg'))
    .autoOrient()
    .toBuffer()
  expect(await meanDifference(preview, rotated)).toBeLessThan(4)
})

test('When a video was recorded in portrait orientation, then its poster is upright', async () => {
  const { metadata, preview } = await decode('portrait.mp4', await portraitVideo())
  expect(metadata).toMatchObject({ width: 240, height: 320 })
  expect(await sharp(preview).metadata()).toMatchObject({ width: 240, height: 320 })
})

const tooMany = 'The photo has more than 220 megapixels.'
const noPhoto = 'The file is not a photo that can be opened.'
const noVideo = 'The file is not a video that can be opened.'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>'
test.each<[string, string, () => Promise<Uint8Array> | Uint8Array, string]>([
  ['a JPEG of slightly more than 220 megapixels', 'a.jpg', () => jpegOf(16_000, 13_751), tooMany],
  ['a PNG bomb', 'a.png', pngBomb, tooMany],
  ['a JPEG with nothing but its header', 'a.jpg', jpegHeader, 'The photo is damaged.'],
  ['a truncated PNG', 'a.png', () => truncated('gradient.png'), 'The photo is damaged.'],
  ['a truncated HEIC', 'a.heic', () => truncated('iphone-13.heic'), 'The photo is damaged.'],
  ['text named .jpg', 'a.jpg', () => Buffer.from('Not a photo.'), noPhoto],
  ['a script that begins like a GIF', 'a.gif', () => Buffer.from('GIF89a/*'), noPhoto],
  [
    'a script that begins like a JPEG',
    'a.jpg',
    () => Buffer.from('\xff\xd8\xff\xe0<script>', 'latin1'),
    noPhoto,
  ],
  ['an SVG', 'a.png', () => Buffer.from(svg), noPhoto],
  ['an empty file', 'a.jpg', () => Buffer.alloc(0), noPhoto],
  ['a video declared as a photo', 'a.jpg', () => readSample('video.mp4'), noPhoto],
  ['a photo declared as a video', 'a.mp4', () => readSample('phone-jolla.jpg'), noVideo],
  [
    'a playlist declared as a video',
    'a.mp4',
    () => Buffer.from('#EXTM3U\n#EXTINF:1,\n/etc/passwd\n'),
    noVideo,
  ],
  ['a truncated video', 'a.mp4', truncatedVideo, 'The video is incomplete.'],
  ['a video without its index', 'a.mov', () => truncated('video.mov'), noVideo],
])('When the file is %s, then it is rejected with a reason', async (_, name, bytes, reason) => {
  await expect(decode(name, await bytes())).rejects.toEqual(new UnprocessableMediaError(reason))
})

test('When a HEIC is truncated, then it is rejected with heif-convert, too', async () => {
  const programs: Programs = { ...settings.programs, heifDecoders: ['heif-convert'] }
  const decoding = decode('a.heic', await truncated('iphone-13.heic'), { programs })
  await expect(decoding).rejects.toEqual(new UnprocessableMediaError('The photo is damaged.'))
})

test('When a photo takes too long, then it is rejected and no process is left', async () => {
  const decoding = decodeSample('iphone-13.heic', { cpuTimeLimitMs: 600 })
  await expect(decoding).rejects.toEqual(new UnprocessableMediaError('The file takes too long to open.'))
  // The system removes a killed process a moment later.
  await eventually(async () => (await processesWith(folder)).length === 0, 'no process')
})

/** Both decoders of HEIC, and the number of photos that the second one was given. */
const withBothDecoders = () => {
  const programs: Programs = { ...settings.programs, heifDecoders: ['heif-convert', 'libheif-js'] }
  let fallbacks = 0
  const onHeifFallback = () => (fallbacks += 1)
  return { changes: { programs, onHeifFallback }, countFallbacks: () => fallbacks }
}

test('When heif-convert takes too long, then the photo is rejected, and no other decoder takes as long again', async () => {
  const { changes, countFallbacks } = withBothDecoders()
  const programFolder = await mkdtemp(join(folder, 'programs-'))
  await writeFile(join(programFolder, 'heif-convert'), '#!/bin/sh\nwhile :; do :; done\n', { mode: 0o755 })
  const decoding = decodeSample('iphone-13.heic', {
    ...changes,
    path: `${programFolder}:${settings.path}`,
    cpuTimeLimitMs: 1_000,
  })
  await expect(decoding).rejects.toEqual(new UnprocessableMediaError('The file takes too long to open.'))
  expect(countFallbacks()).toBe(0)
})

test('When the second decoder needs more memory than allowed, then the photo is rejected', async () => {
  const { changes, countFallbacks } = withBothDecoders()
  const decoding = decode('a.heic', await ios18Photo(), { ...changes, memoryBytes: 160 * 1_048_576 })
  await expect(decoding).rejects.toEqual(
    new UnprocessableMediaError('The file needs too much memory to open.'),
  )
  expect(countFallbacks()).toBe(1)
})

const tenMinutes = ['-f', 'lavfi', '-i', 'testsrc=size=1920x1080:rate=60', '-t', '600', '-f', 'null', '-']
test.each([
  ['a program', 'sh', ['-c', 'while :; do :; done']],
  ['ffmpeg, which handles the signal', 'ffmpeg', ['-v', 'error', ...tenMinutes]],
])('When %s exceeds its processor time, then the file is rejected', async (_, name, args) => {
  const job = { ...settings, cpuTimeLimitMs: 1_000, file: '', folder, task: 'video' as const }
  await expect(runProgram(name, args, job)).rejects.toEqual(
    new UnprocessableMediaError('The file takes too long to open.'),
  )
})

/** Waits for a running decoder; returns its process id. */
const waitForDecoder = (): Promise<number> =>
  eventually(async () => (await processesWith(folder))[0], 'a decoder')

test('When a decoder is suspended, then the file is not rejected', async () => {
  const decoding = decodeSample('iphone-13.heic', { wallClockLimitMs: 5_000 })
  process.kill(await waitForDecoder(), 'SIGSTOP')
  await expect(decoding).rejects.toBeInstanceOf(DecoderCrashError)
})

test('When a photo needs more memory than allowed, then it is rejected', async () => {
  const decoding = decodeSample('iphone-13.heic', { memoryBytes: 160 * 1_048_576 })
  await expect(decoding).rejects.toEqual(
    new UnprocessableMediaError('The file needs too much memory to open.'),
  )
})

test('When a decoder, which runs with a lower priority than the services, is killed from outside, then the file is not rejected', async () => {
  const decoding = decodeSample('iphone-13.heic', { priority: 'low' })
  const pid = await waitForDecoder()
  expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
  process.kill(pid, 'SIGKILL')
  await expect(decoding).rejects.toBeInstanceOf(DecoderCrashError)
})

test('When a worker has no ffmpeg, then videos are not rejected', async () => {
  const decoding = decodeSample('video.mp4', { programs: { ...settings.programs, hasFfmpeg: false } })
  await expect(decoding).rejects.toThrow('ffmpeg or ffprobe is not on the PATH')
  await expect(decoding).rejects.not.toBeInstanceOf(UnprocessableMediaError)
})
