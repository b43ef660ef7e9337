import sharp, { type Metadata } from 'sharp'
import {
  type Decoded,
  type DecodeJob,
  type DecoderReports,
  UnprocessableMediaError,
} from './decoder-protocol.ts'
import { encodeDerivatives, readPixels, type Pixels } from './pixels.ts'
import { readHeifPixels, readHeifWithoutHeader } from './heif.ts'
import { readExifTime } from './taken-at.ts'

// Photos of up to 64 megapixels are common; the memory limit of other files is enough for them with every decoder.
const LARGE_PHOTO_PIXELS = 65e6

/** Returns undefined if it is not a photo, an image sequence without a photo beside it, or one that only phones can read. */
const readMetadata = ({ file, contentType }: DecodeJob): Promise<Metadata | undefined> =>
  sharp(file, {
    limitInputPixels: false,
    // Otherwise libvips refuses a HEIF of more than 256 items: one for each tile.
    unlimited: contentType === 'image/heic',
  })
    .metadata()
    .catch(() => undefined)

/** Whether at least a hundredth of an image has another colour than the rest. */
const hasContent = ({ data, channels }: Pixels): boolean => {
  const counts = new Map<number, number>()
  for (let start = 0; start < data.length; start += channels) {
    const colour = data.subarray(start, start + channels).reduce((packed, value) => packed * 256 + value, 0)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const pixelCount = data.length / channels
  return [...counts.values()].every((count) => count < 0.99 * pixelCount)
}

/** Decodes a photo that sharp supports. Of a JPEG whose end is missing, as after a broken transfer, it decodes the rest. */
const readPhotoPixels = async (
  job: DecodeJob,
  { icc, space, depth, format }: Metadata,
): Promise<{ pixels: Pixels; isDamaged?: true }> => {
  const options = {
    autoOrient: true,
    hasRgbProfile: icc !== undefined && space === 'srgb' && depth === 'uchar',
  }
  try {
    return { pixels: await readPixels(job, options) }
  } catch (error) {
    if (format !== 'jpeg' || !(error instanceof UnprocessableMediaError)) throw error
    const pixels = await readPixels(job, { ...options, isPartAccepted: true })
    // libjpeg fills what is missing with one colour. It may be all but the header.
    if (!hasContent(pixels)) throw error
    return { pixels, isDamaged: true }
  }
}

/** Reads the header of a photo, rejects one with too many pixels, and only then decodes it. */
export const decodePhoto = async (job: DecodeJob, reports: DecoderReports): Promise<Decoded> => {
  const metadata = await readMetadata(job)
  if (!metadata) {
    const isHeic = job.contentType === 'image/heic'
    const photo = isHeic && (await readHeifWithoutHeader(job, LARGE_PHOTO_PIXELS))
    if (photo) {
      const { pixels, ...size } = photo
      return { ...(await encodeDerivatives(pixels, job.copy)), metadata: size }
    }
    if (isHeic && job.programs.hasFfmpeg) return (await import('./video.ts')).decodeImageSequence(job)
    throw new UnprocessableMediaError('The file is not a photo that can be opened.')
  }
  const { width, height } = metadata.autoOrient
  if (width * height > job.maxMegapixels * 1e6)
    throw new UnprocessableMediaError(`The photo has more than ${job.maxMegapixels} megapixels.`)
  if (width * height > LARGE_PHOTO_PIXELS) await reports.largeFile()

  const isHevc = metadata.format === 'heif' && metadata.compression !== 'av1'
  const { pixels, isDamaged } = isHevc
    ? { pixels: await readHeifPixels(job, metadata, reports) }
    : await readPhotoPixels(job, metadata)
  const exifTime = readExifTime(metadata.exif)
  const copy = job.copy && { ...job.copy, ...(exifTime && { takenAt: exifTime.takenAt }) }
  return {
    ...(await encodeDerivatives(pixels, copy)),
    metadata: { width, height, ...exifTime, ...(isDamaged && { isDamaged }) },
  }
}
