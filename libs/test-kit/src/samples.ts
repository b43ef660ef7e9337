import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The files in `samples/`, by the name they have there. */
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

export const sample = (name: SampleName): Promise<Buffer<ArrayBuffer>> => readFile(samplePath(name))

/** A JPEG that no other test sends: a real photo with random bytes after its end, where decoders do not look. */
export const uniquePhoto = async (name: SampleName = 'orientation-6.jpg'): Promise<Buffer<ArrayBuffer>> =>
  Buffer.concat([await sample(name), crypto.getRandomValues(Buffer.alloc(16))])
