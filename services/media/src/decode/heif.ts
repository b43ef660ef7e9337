import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import sharp, { type Metadata } from 'sharp'
import type { DecodeJob } from './decoder-protocol.ts'
import type { HeifImage } from './heif-worker.ts'
import { MediaProblem } from './media-problem.ts'
import { isCutShort } from './cut-short.ts'
import { openPhoto, shrink, type Pixels } from './pixels.ts'
import { runProgram } from './run-program.ts'

/** Decodes HEVC-coded HEIF, which sharp cannot: its patents keep it out of the npm build. */
export const openHeif = async (job: DecodeJob, metadata: Metadata): Promise<Pixels> => {
  // libheif shows the beginning of a photo that was cut off as if that were all.
  if (await isCutShort(job.file)) throw new MediaProblem('The photo is damaged.')
  return job.programs.heif === 'heif-convert' ? convert(job, metadata) : decodeInThread(job)
}

const convert = async (job: DecodeJob, { pages = 1, pagePrimary = 0 }: Metadata): Promise<Pixels> => {
  const out = (suffix: string) => join(job.folder, `converted${suffix}.jpg`)
  const { ok, stderr } = await runProgram('heif-convert', ['--quiet', '-q', '95', job.file, out('')], job)
  if (!ok) throw new MediaProblem('The photo is damaged.')
  // On a full disk it ends as if all were well, and leaves half a picture or none.
  if (stderr.includes('could not write')) throw new Error(`heif-convert: ${stderr.trim()}`)
  // Where a file holds several pictures, heif-convert writes all of them, numbered.
  const file = pages > 1 ? out(`-${pagePrimary + 1}`) : out('')
  // heif-convert has turned the pixels, but leaves the EXIF orientation that says they must be.
  return openPhoto({ ...job, file }, { turn: false })
}

const decodeInThread = async ({ file }: DecodeJob): Promise<Pixels> => {
  // A thread, because the decoder does not come back until it is done, and its memory is to be watched meanwhile.
  const worker = new Worker(new URL('./heif-worker.ts', import.meta.url), { workerData: file })
  const { data, width, height } = await new Promise<HeifImage>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', () => reject(new MediaProblem('The photo is damaged.')))
    worker.once('exit', () => reject(new MediaProblem('The photo is damaged.')))
  })
  return shrink(sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false }))
}
