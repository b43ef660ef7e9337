import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The files in `samples/`, and what media finds out about each. */
export const samples = {
  'animated.gif': { width: 240, height: 180 },
  'camera-gps.jpg': { width: 640, height: 480, takenAt: '2008-10-22T16:28:39', takenAtSource: 'exif-local' },
  'gradient.png': { width: 1000, height: 1000 },
  'iphone-13.heic': {
    width: 3024,
    height: 4032,
    takenAt: '2022-02-16T12:55:41+01:00',
    takenAtSource: 'exif',
  },
  'orientation-6.jpg': { width: 450, height: 600 },
  'phone-jolla.jpg': {
    width: 3264,
    height: 2448,
    takenAt: '2014-09-21T16:00:56',
    takenAtSource: 'exif-local',
  },
  'photo.webp': { width: 1024, height: 772 },
  'small.heif': { width: 640, height: 426 },
  'video.mov': { width: 320, height: 240, durationSeconds: 7.8 },
  'video.mp4': {
    width: 320,
    height: 240,
    durationSeconds: 7.8,
    takenAt: '2012-03-31T19:46:48Z',
    takenAtSource: 'container',
  },
}
export type SampleName = keyof typeof samples

export const sampleNames = Object.keys(samples) as SampleName[]

export const samplePath = (name: SampleName): string =>
  fileURLToPath(new URL(`../../../samples/${name}`, import.meta.url))

export const readSample = (name: SampleName): Promise<Buffer<ArrayBuffer>> => readFile(samplePath(name))

/** Returns a unique JPEG: a real photo with random bytes after its end, which decoders ignore. */
export const uniquePhoto = async (name: SampleName = 'orientation-6.jpg'): Promise<Buffer<ArrayBuffer>> =>
  Buffer.concat([await readSample(name), crypto.getRandomValues(Buffer.alloc(16))])
