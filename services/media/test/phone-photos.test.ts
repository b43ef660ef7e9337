import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MediaType } from '@confetti/contracts'
import { isUnavailable } from '@confetti/service-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { makeDecode } from '../src/decode/decode.ts'
import { UnprocessableMediaError } from '../src/decode/decoder-protocol.ts'
import { isOldLibheif, readLibheifVersion, type HeifDecoder } from '../src/decode/programs.ts'
import { settings } from './decoder-settings.ts'
import { ios18Photo, progressiveJpegOf } from './files.ts'
import { burstOf, gridOf, imageSequence, iphoneTile, photoOf, x265Picture } from './heif-files.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-phone-photos-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Stores a file, which `decode` then decodes. */
const store = async (bytes: Uint8Array, contentType: MediaType = 'image/heic') => {
  const jobFolder = await mkdtemp(join(folder, 'job-'))
  const file = join(jobFolder, 'original')
  await writeFile(file, bytes)
  return { file, folder: jobFolder, contentType }
}

/** The decoders that a machine may have; `auto` is both, as in production. */
const decoders: Record<string, HeifDecoder[]> = {
  auto: ['heif-convert', 'libheif-js'],
  'heif-convert': ['heif-convert'],
  'libheif-js': ['libheif-js'],
}

const photos: [
  photo: string,
  make: () => Promise<Buffer>,
  size: [number, number],
  isRefusedByOldLibheif?: 'refused by old libheif',
][] = [
  ['a photo of iOS 18', ios18Photo, [3_024, 4_032], 'refused by old libheif'],
  ['a burst of x265', async () => burstOf(await x265Picture(640, 480)), [640, 480], 'refused by old libheif'],
  ['a burst of an iPhone', async () => burstOf(await iphoneTile()), [512, 512], 'refused by old libheif'],
  ['an image sequence (msf1)', () => imageSequence('msf1'), [640, 360]],
  ['an image sequence (hevc)', () => imageSequence('hevc'), [640, 360]],
  ['10 bits', async () => photoOf(await x265Picture(640, 480, 'yuv420p10le')), [640, 480]],
  [
    '768 tiles among 822 items',
    async () => gridOf(await x265Picture(64, 64), 32, 24, { otherItems: 53 }),
    [2_032, 1_520],
  ],
]
/** Both decoders are tried in turn: that makes a difference where the first one may refuse a photo. */
const rows = Object.keys(decoders).flatMap((decoder) =>
  photos
    .filter(([, , , refused]) => decoder !== 'auto' || refused)
    .map((photo) => [decoder, ...photo] as const),
)

test.each(rows)(
  'With %s, when a HEIF is %s, then it has a preview',
  async (decoder, _, make, [width, height], refused) => {
    const heifDecoders = decoders[decoder] ?? []
    const decode = makeDecode({ ...settings, programs: { ...settings.programs, heifDecoders } })
    const decoding = decode(await store(await make()))
    const version = await readLibheifVersion(settings.path)
    if (decoder === 'heif-convert' && refused && version && isOldLibheif(version)) {
      await expect(decoding).rejects.toEqual(new UnprocessableMediaError('The photo is damaged.'))
      return
    }
    const { metadata, preview } = await decoding
    expect(metadata).toMatchObject({ width, height })
    expect(metadata).not.toHaveProperty('durationSeconds')
    const scale = Math.min(1, 1_600 / Math.max(width, height))
    // Not one colour, as of pixels that were not decoded.
    const { channels } = await sharp(preview).stats()
    expect(Math.min(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(10)
    expect(await sharp(preview).metadata()).toMatchObject({
      width: Math.round(width * scale),
      height: Math.round(height * scale),
    })
  },
)

test.each(['auto', 'libheif-js'])(
  'With %s, when the colour profile of a HEIC is empty, which sharp cannot read, then it has a preview',
  async (decoder) => {
    const programs = { ...settings.programs, heifDecoders: decoders[decoder] ?? [] }
    const photo = gridOf(await iphoneTile(), 3, 2, { hasEmptyProfile: true })
    const { metadata, preview } = await makeDecode({ ...settings, programs })(await store(photo))
    expect(metadata).toEqual({ width: 1_408, height: 896 })
    expect(await sharp(preview).metadata()).toMatchObject({ width: 1_408, height: 896 })
  },
)

test('When a HEIC has more megapixels than allowed, then it is rejected with the reason', async () => {
  const photo = gridOf(await x265Picture(512, 512), 32, 24, { otherItems: 53 })
  const decoding = makeDecode({ ...settings, maxMegapixels: 120 })(await store(photo))
  await expect(decoding).rejects.toEqual(
    new UnprocessableMediaError('The photo has more than 120 megapixels.'),
  )
})

test('When a photo has 108 megapixels, then it may need more memory than others', async () => {
  const photo = await store(await progressiveJpegOf(12_000, 9_000), 'image/jpeg')
  const decode = (largeMemoryBytes: number) =>
    makeDecode({ ...settings, memoryBytes: 160 * 1_048_576, largeMemoryBytes })(photo)
  expect((await decode(settings.largeMemoryBytes)).metadata).toEqual({ width: 12_000, height: 9_000 })
  await expect(decode(160 * 1_048_576)).rejects.toEqual(
    new UnprocessableMediaError('The file needs too much memory to open.'),
  )
})

test('When a large photo is sent while another is decoded, then it is tried again later, and small ones are decoded', async () => {
  // It takes so long that the other decoder has started and looked at its file by then, also on a busy machine.
  const large = await progressiveJpegOf(12_000, 9_000)
  const files = [
    await store(large, 'image/jpeg'),
    await store(large, 'image/jpeg'),
    await store(photoOf(await x265Picture(640, 480))),
  ]
  const decode = makeDecode(settings)
  const [one, other, small] = await Promise.allSettled(files.map((file) => decode(file)))
  expect([one?.status, other?.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(small?.status).toBe('fulfilled')
  const postponed = [one, other].find((result) => result?.status === 'rejected')
  expect(isUnavailable(postponed?.reason)).toBe(true)
  const again = files[postponed === one ? 0 : 1]
  expect(again && (await decode(again)).metadata).toEqual({ width: 12_000, height: 9_000 })
})
