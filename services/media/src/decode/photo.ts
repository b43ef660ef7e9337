import sharp, { type Metadata } from 'sharp'
import type { Decoded, DecodeJob, DecoderReports } from './decoder-protocol.ts'
import { encodeDerivatives, readPixels } from './pixels.ts'
import { UnprocessableMediaError } from './errors.ts'
import { readHeifPixels } from './heif.ts'
import { takenAtFromExif } from './taken-at.ts'

// Photos of up to 64 megapixels are common; the memory limit of other files is enough for them with every decoder.
const LARGE_PHOTO_PIXELS = 65e6

/** Returns undefined if it is not a photo, or an image sequence without a photo beside it. */
const readMetadata = ({ file, contentType }: DecodeJob): Promise<Metadata | undefined> =>
  sharp(file, {
    limitInputPixels: false,
    // Otherwise libvips refuses a HEIF of more than 256 items: one for each tile.
    unlimited: contentType === 'image/heic',
  })
    .metadata()
    .catch(() => undefined)

/** Reads the header of a photo, rejects one with too many pixels, and only then decodes it. */
export const decodePhoto = async (job: DecodeJob, reports: DecoderReports): Promise<Decoded> => {
  const metadata = await readMetadata(job)
  if (!metadata) {
    if (job.contentType === 'image/heic' && job.programs.hasFfmpeg)
      return (await import('./video.ts')).decodeImageSequence(job)
    throw new UnprocessableMediaError('The file is not a photo that can be opened.')
  }
  const { width, height } = metadata.autoOrient
  if (width * height > job.maxMegapixels * 1e6)
    throw new UnprocessableMediaError(`The photo has more than ${job.maxMegapixels} megapixels.`)
  if (width * height > LARGE_PHOTO_PIXELS) await reports.largeFile()

  const isHevc = metadata.format === 'heif' && metadata.compression !== 'av1'
  const hasRgbProfile = metadata.icc !== undefined && metadata.space === 'srgb' && metadata.depth === 'uchar'
  const pixels = isHevc
    ? await readHeifPixels(job, metadata, reports)
    : await readPixels(job, { autoOrient: true, hasRgbProfile })
  const takenAt = takenAtFromExif(metadata.exif)
  return {
    ...(await encodeDerivatives(pixels)),
    metadata: { width, height, ...(takenAt && { takenAt }) },
  }
}
