import sharp, { type Metadata } from 'sharp'
import type { Decoded, DecodeJob } from './decoder-protocol.ts'
import { encodeDerivatives } from './derivatives.ts'
import { openHeif } from './heif.ts'
import { MediaProblem } from './media-problem.ts'
import { openPhoto } from './pixels.ts'
import { takenAtFromExif } from './taken-at.ts'

const readMetadata = (file: string): Promise<Metadata> =>
  sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new MediaProblem('The file is not a photo that can be opened.')
    })

/** Reads the header, refuses what is too large, and only then decodes. */
export const decodePhoto = async (job: DecodeJob): Promise<Decoded> => {
  const metadata = await readMetadata(job.file)
  const { width, height } = metadata.autoOrient
  if (width * height > job.maxMegapixels * 1e6)
    throw new MediaProblem(`The photo has more than ${job.maxMegapixels} megapixels.`)

  const isHevc = metadata.format === 'heif' && metadata.compression !== 'av1'
  const pixels = isHevc ? await openHeif(job, metadata) : await openPhoto(job, { turn: true })
  const takenAt = takenAtFromExif(metadata.exif)
  return {
    ...(await encodeDerivatives(pixels)),
    measures: { width, height, ...(takenAt && { takenAt }) },
  }
}
