import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { MediaType } from '@confetti/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { makeDecode, makeRender } from '../src/decode/decode.ts'
import { UnprocessableMediaError } from '../src/decode/decoder-protocol.ts'
import { settings } from './decoder-settings.ts'
import { hevc8kVideo } from './files.ts'
import { gridOf, iphoneTile } from './heif-files.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-largest-files-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Stores a file, which is then decoded. */
const store = async (bytes: Uint8Array, contentType: MediaType) => {
  const jobFolder = await mkdtemp(join(folder, 'job-'))
  const file = join(jobFolder, 'original')
  await writeFile(file, bytes)
  return { file, folder: jobFolder, contentType }
}

test('When a HEIC has 200 megapixels in 768 tiles of an iPhone, then it is decoded', async () => {
  const programs = { ...settings.programs, heifDecoders: ['heif-convert' as const, 'libheif-js' as const] }
  const photo = gridOf(await iphoneTile(), 32, 24, { otherItems: 53 })
  const decode = makeDecode({ ...settings, programs })
  const { metadata, preview } = await decode(await store(photo, 'image/heic'))
  expect(metadata).toEqual({ width: 16_256, height: 12_160 })
  expect(await sharp(preview).metadata()).toMatchObject({ width: 1_600, height: 1_197 })
})

test('When a video has HEVC in 8K with 10 bits, then it has a poster', async () => {
  const { metadata, preview } = await makeDecode(settings)(
    await store(await hevc8kVideo(), 'video/quicktime'),
  )
  expect(metadata).toMatchObject({ width: 7_680, height: 4_320 })
  expect(await sharp(preview).metadata()).toMatchObject({ width: 1_600, height: 900 })
})

test('When a phone recorded HEVC in 8K with 10 bits, then the rendition may need more memory than others', async () => {
  const memoryBytes = 300 * 1_048_576
  const original = await store(await hevc8kVideo(), 'video/quicktime')
  const rendition = await makeRender({ ...settings, memoryBytes })(original)
  const args = ['-v', 'error', '-select_streams', 'v', '-of', 'json', '-show_streams', rendition]
  const { stdout } = await promisify(execFile)('ffprobe', args)
  expect(JSON.parse(stdout)).toMatchObject({
    streams: [{ codec_name: 'h264', width: 1_280, height: 720 }],
  })
  await expect(
    makeRender({ ...settings, memoryBytes, largeMemoryBytes: memoryBytes })(original),
  ).rejects.toEqual(new UnprocessableMediaError('The video is damaged.'))
})
