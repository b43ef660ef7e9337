import sharp, { type Metadata } from 'sharp'
import type { Decoded, DecodeJob } from './decoder-protocol.ts'
import { encodeDerivatives, readPixels } from './pixels.ts'
import { UnprocessableMediaError } from './errors.ts'
import { readHeifPixels } from './heif.ts'
import { readExifTime } from './taken-at.ts'

const readMetadata = (file: string): Promise<Metadata> =>
  sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new UnprocessableMediaError('The file is not a photo that can be opened.')
    })

/** Reads the header of a photo, rejects one with too many pixels, and only then decodes it. */
export const decodePhoto = async (job: DecodeJob, reportFallback: () => void): Promise<Decoded> => {
  const metadata = await readMetadata(job.file)
  const { width, height } = metadata.autoOrient
  if (width * height > job.maxMegapixels * 1e6)
    throw new UnprocessableMediaError(`The photo has more than ${job.maxMegapixels} megapixels.`)

  const isHevc = metadata.format === 'heif' && metadata.compression !== 'av1'
  const hasRgbProfile = metadata.icc !== undefined && metadata.space === 'srgb' && metadata.depth === 'uchar'
  const pixels = isHevc
    ? await readHeifPixels(job, metadata, reportFallback)
    : await readPixels(job, { autoOrient: true, hasRgbProfile })
  return {
    ...(await encodeDerivatives(pixels)),
    metadata: { width, height, ...readExifTime(metadata.exif) },
  }
}
