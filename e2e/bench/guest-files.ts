import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { MB } from './units.ts'

/** A guest's photo or video: real bytes, and some behind their end that make it the only one of its kind in a crowd. */
export interface GuestFile {
  name: string
  size: number
  chunks: readonly Buffer[]
}

interface Kind {
  extension: string
  bytes: Buffer
}

const sample = (name: string): Promise<Buffer> => readFile(new URL(`../../samples/${name}`, import.meta.url))

// Width in pixels, JPEG quality, and how many of 100 files: 0.35, 0.8, 1.2, 1.8, 3.7 and 8 MB.
const photos: readonly (readonly [width: number, quality: number, share: number])[] = [
  [2_048, 85, 14],
  [3_264, 88, 34],
  [4_032, 88, 26],
  [4_032, 94, 16],
  [6_000, 95, 7],
  [8_800, 96, 1],
]
const VIDEOS_IN_100 = 2
const VIDEO_BYTES = 6 * MB

const photo = async (width: number, quality: number): Promise<Kind> => {
  const original = await sample('phone-jolla.jpg')
  return { extension: 'jpg', bytes: await sharp(original).resize(width).jpeg({ quality }).toBuffer() }
}

/** A clip that plays, and bytes behind its end up to `size`. */
const video = async (size: number): Promise<Kind> => {
  const clip = await sample('video.mp4')
  return { extension: 'mp4', bytes: Buffer.concat([clip, randomBytes(size - clip.length)]) }
}

const withOwnEnd = ({ extension, bytes }: Kind, number: number): GuestFile => {
  const end = Buffer.alloc(16)
  end.writeUInt32BE(number)
  return { name: `IMG_${number}.${extension}`, size: bytes.length + end.length, chunks: [bytes, end] }
}

/** Makes small photos, of some kB. */
export const makeSmallPhotos = async (): Promise<(count: number) => GuestFile[]> => {
  const kind = await photo(160, 60)
  return (count) => Array.from({ length: count }, (_, number) => withOwnEnd(kind, number))
}

/** Makes files from one of the samples. */
export const makeSamples = async (name: string): Promise<(count: number) => GuestFile[]> => {
  const kind = { extension: name.split('.').at(-1) ?? '', bytes: await sample(name) }
  return (count) => Array.from({ length: count }, (_, number) => withOwnEnd(kind, number))
}

/** Makes videos of one size in bytes. */
export const makeVideos = async (size: number): Promise<(count: number) => GuestFile[]> => {
  const kind = await video(size - 16)
  return (count) => Array.from({ length: count }, (_, number) => withOwnEnd(kind, number))
}

/**
 * Makes as many files as a hall full of phones would, in the same order of sizes each time; 1.4 MB on average, or
 * those of them alone that have `largest` bytes at most.
 */
export const makePhotos = async ({ largest = Infinity } = {}): Promise<(count: number) => GuestFile[]> => {
  const all: Kind[] = []
  for (const [width, quality, share] of photos)
    all.push(...Array<Kind>(share).fill(await photo(width, quality)))
  all.push(...Array<Kind>(VIDEOS_IN_100).fill(await video(VIDEO_BYTES)))
  const kinds = all.filter(({ bytes }) => bytes.length <= largest)
  // A prime above their number: each kind has its turn, large files among small ones.
  return (count) =>
    Array.from({ length: count }, (_, number) => {
      const kind = kinds[(number * 137) % kinds.length]
      if (!kind) throw new Error('No kinds of files')
      return withOwnEnd(kind, number)
    })
}
