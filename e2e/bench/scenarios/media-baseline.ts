import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { samplePath } from '@confetti/test-kit'
import sharp from 'sharp'
import { cpuSecondsOf } from '../processes.ts'

// What decoding alone costs: the calls of sharp that the media worker makes, in this process, which is warm.

const fitInside = (size: number) =>
  ({ width: size, height: size, fit: 'inside', withoutEnlargement: true }) as const

const heicToJpeg = async (output: string, quality: number): Promise<Buffer> => {
  const args = ['--quiet', '-q', String(quality), samplePath('iphone-13.heic'), output]
  await promisify(execFile)('heif-convert', args)
  return readFile(output)
}

/** The photo of an iPhone as JPEG of 12 megapixels with its profile, Display P3: 3.1 MB. */
export const createDisplayP3Photo = async (): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-bench-photo-'))
  try {
    const photo = await heicToJpeg(join(folder, 'photo.jpg'), 100)
    return await sharp(photo, { autoOrient: false }).keepIccProfile().jpeg({ quality: 92 }).toBuffer()
  } finally {
    await rm(folder, { recursive: true })
  }
}

const makeDerivatives = async (file: string): Promise<void> => {
  const resized = await sharp(file, { failOn: 'error', sequentialRead: true, pages: 1, ignoreIcc: true })
    .resize(fitInside(1_600))
    .keepIccProfile()
    .tiff({ compression: 'none' })
    .toBuffer()
  const { data, info } = await sharp(resized)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const image = () =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  await Promise.all([
    image().webp({ quality: 80, effort: 0 }).toBuffer(),
    image().resize(fitInside(400)).webp({ quality: 75, effort: 2 }).toBuffer(),
  ])
}

/** How many photos a minute of processor time is enough for: JPEG by sharp, HEIC by heif-convert and sharp. */
export const measureBaseline = async (
  format: 'jpeg' | 'heic',
  photo: Buffer,
  count: number,
): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-bench-baseline-'))
  const file = join(folder, 'photo.jpg')
  await writeFile(file, photo)
  sharp.cache(false)
  sharp.concurrency(1)
  const decode = async (): Promise<void> => {
    if (format === 'heic') await heicToJpeg(file, 95)
    await makeDerivatives(file)
  }
  try {
    await decode()
    const before = cpuSecondsOf(process.pid)
    for (let index = 0; index < count; index += 1) await decode()
    return (60 * count) / (cpuSecondsOf(process.pid) - before)
  } finally {
    await rm(folder, { recursive: true })
  }
}
