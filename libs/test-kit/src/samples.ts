import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The names of the files in `samples/`. */
export const sampleNames = [
  'animated.gif',
  'camera-gps.jpg',
  'gradient.png',
  'iphone-13.heic',
  'orientation-6.jpg',
  'phone-jolla.jpg',
  'photo.webp',
  'small.heif',
  'video.mov',
  'video.mp4',
] as const
export type SampleName = (typeof sampleNames)[number]

export const samplePath = (name: SampleName): string =>
  fileURLToPath(new URL(`../../../samples/${name}`, import.meta.url))

export const readSample = (name: SampleName): Promise<Buffer<ArrayBuffer>> => readFile(samplePath(name))

/** Returns a unique JPEG: a real photo with random bytes after its end, which decoders ignore. */
export const uniquePhoto = async (name: SampleName = 'orientation-6.jpg'): Promise<Buffer<ArrayBuffer>> =>
  Buffer.concat([await readSample(name), crypto.getRandomValues(Buffer.alloc(16))])
