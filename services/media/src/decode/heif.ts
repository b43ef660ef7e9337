import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import sharp, { type Metadata } from 'sharp'
import { type DecodeJob, type DecoderReports, UnprocessableMediaError } from './decoder-protocol.ts'
import type { HeifImage, HeifTask } from './heif-worker.ts'
import { isTruncated } from './is-truncated.ts'
import { readPixels, resizePixels, sizeFor, type Pixels } from './pixels.ts'
import { runProgram } from './programs.ts'

/**
 * Decodes HEIF with HEVC compression, which the npm build of sharp does not include because of its patents.
 * The second decoder is given what the first one refuses: the versions of libheif that distributions have refuse what new
 * phones write. A file that exceeds a limit is not given to it.
 */
export const readHeifPixels = async (
  job: DecodeJob,
  metadata: Metadata,
  reports: DecoderReports,
): Promise<Pixels> => {
  // libheif decodes the first part of a truncated photo without an error.
  if (await isTruncated(job.file)) throw new UnprocessableMediaError('The photo is damaged.')
  const [first, second] = job.programs.heifDecoders
  if (first === 'heif-convert') {
    const pixels = await readWithHeifConvert(job, metadata)
    if (pixels) return pixels
    if (!second) throw new UnprocessableMediaError('The photo is damaged.')
    reports.heifFallback()
  }
  return toPixels(await decodeByLibheif(job.file, Infinity), job)
}

/** Returns undefined if heif-convert refuses the file. */
const readWithHeifConvert = async (
  job: DecodeJob,
  { pages = 1, pagePrimary = 0, icc }: Metadata,
): Promise<Pixels | undefined> => {
  const output = (suffix: string) => join(job.folder, `converted${suffix}.jpg`)
  const args = ['--quiet', '-q', '95', job.file, output('')]
  const { ok, stderr } = await runProgram('heif-convert', args, job)
  if (!ok) return undefined
  // On a full disk heif-convert exits with status 0 and leaves a partial file or none.
  if (stderr.includes('could not write')) throw new Error(`heif-convert: ${stderr.trim()}`)
  // If a file contains several images, heif-convert writes all of them, numbered from 1.
  const file = pages > 1 ? output(`-${pagePrimary + 1}`) : output('')
  // heif-convert rotates the pixels but copies the EXIF orientation, which would rotate them a second time.
  return readPixels({ ...job, file }, { autoOrient: false, hasRgbProfile: icc !== undefined })
}

/**
 * Decodes a HEIF whose header sharp cannot read, as with an empty colour profile, if it has at most `maxPixels`. Returns
 * undefined if libheif cannot read it either, or may not be used.
 */
export const readHeifWithoutHeader = async (
  job: DecodeJob,
  maxPixels: number,
): Promise<{ pixels: Pixels; width: number; height: number } | undefined> => {
  const { file, programs } = job
  if (!programs.heifDecoders.includes('libheif-js') || (await isTruncated(file))) return undefined
  const image = await decodeByLibheif(file, maxPixels).catch(() => undefined)
  return image && { pixels: await toPixels(image, job), width: image.width, height: image.height }
}

const toPixels = ({ data, width, height }: HeifImage, job: DecodeJob): Promise<Pixels> =>
  resizePixels(sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false }), sizeFor(job))

const decodeByLibheif = (file: string, maxPixels: number): Promise<HeifImage> => {
  // In a thread, because the decoder blocks until it is done, and the memory limit must be checked meanwhile.
  const worker = new Worker(new URL(`./heif-worker${extname(import.meta.filename)}`, import.meta.url), {
    workerData: { file, maxPixels } satisfies HeifTask,
  })
  return new Promise<HeifImage>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', () => reject(new UnprocessableMediaError('The photo is damaged.')))
    worker.once('exit', () => reject(new UnprocessableMediaError('The photo is damaged.')))
  })
}
