import { createHash, randomBytes, type Hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { MB } from './units.ts'

/** A real photo or video, followed by a few bytes that make it unique in its workload. */
export interface GuestFile {
  name: string
  size: number
  chunks: readonly Buffer[]
  sha256: string
}

/** Creates that many unique files. */
export type FileFactory = (count: number) => GuestFile[]

interface Template {
  extension: string
  bytes: Buffer
  /** Of the bytes: only the suffix of a file is hashed for each. */
  hash: Hash
}

const createTemplate = (extension: string, bytes: Buffer): Template => ({
  extension,
  bytes,
  hash: createHash('sha256').update(bytes),
})

const UNIQUE_SUFFIX_BYTES = 16

const readSample = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../samples/${name}`, import.meta.url))

// Width in pixels, JPEG quality, and how many of 100 files: 0.35, 0.8, 1.2, 1.8, 3.7 and 8 MB.
const photoSizes: readonly (readonly [width: number, quality: number, share: number])[] = [
  [2_048, 85, 14],
  [3_264, 88, 34],
  [4_032, 88, 26],
  [4_032, 94, 16],
  [6_000, 95, 7],
  [8_800, 96, 1],
]
const VIDEOS_PER_100_FILES = 2
const VIDEO_BYTES = 6 * MB

const createPhoto = async (width: number, quality: number): Promise<Template> => {
  const original = await readSample('phone-jolla.jpg')
  return createTemplate('jpg', await sharp(original).resize(width).jpeg({ quality }).toBuffer())
}

/** A playable clip, followed by random bytes up to `size`. */
const createVideo = async (size: number): Promise<Template> => {
  const clip = await readSample('video.mp4')
  return createTemplate('mp4', Buffer.concat([clip, randomBytes(size - clip.length)]))
}

const createUniqueFile = ({ extension, bytes, hash }: Template, number: number): GuestFile => {
  const suffix = Buffer.alloc(UNIQUE_SUFFIX_BYTES)
  suffix.writeUInt32BE(number)
  return {
    name: `IMG_${number}.${extension}`,
    size: bytes.length + suffix.length,
    chunks: [bytes, suffix],
    sha256: hash.copy().update(suffix).digest('hex'),
  }
}

const factoryOf =
  (template: Template): FileFactory =>
  (count) =>
    Array.from({ length: count }, (_, number) => createUniqueFile(template, number))

/** Photos of one size, some kB unless given. */
export const createSmallPhotoFactory = async ({ width = 160, quality = 60 } = {}): Promise<FileFactory> =>
  factoryOf(await createPhoto(width, quality))

/** Copies of a file. */
export const createFileFactory = (extension: string, bytes: Buffer): FileFactory =>
  factoryOf(createTemplate(extension, bytes))

/** Copies of one of the samples. */
export const createSampleFactory = async (name: string): Promise<FileFactory> =>
  factoryOf(createTemplate(name.split('.').at(-1) ?? '', await readSample(name)))

/** Videos of `size` bytes. */
export const createVideoFactory = async (size: number): Promise<FileFactory> =>
  factoryOf(await createVideo(size - UNIQUE_SUFFIX_BYTES))

/**
 * Photos and a few videos as guests send them, 1.4 MB on average, in the same order of sizes each time. Files of more
 * than `maxBytes` are left out.
 */
export const createPhotoFactory = async ({ maxBytes = Infinity } = {}): Promise<FileFactory> => {
  const all: Template[] = []
  for (const [width, quality, share] of photoSizes)
    all.push(...Array<Template>(share).fill(await createPhoto(width, quality)))
  all.push(...Array<Template>(VIDEOS_PER_100_FILES).fill(await createVideo(VIDEO_BYTES)))
  const templates = all.filter(({ bytes }) => bytes.length <= maxBytes)
  // Steps of a prime larger than the number of templates use all of them, and mix large and small files.
  return (count) =>
    Array.from({ length: count }, (_, number) => {
      const template = templates[(number * 137) % templates.length]
      if (!template) throw new Error('No file is small enough')
      return createUniqueFile(template, number)
    })
}
