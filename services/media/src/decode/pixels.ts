import sharp, { type Sharp } from 'sharp'
import type { CopyMetadata, Derivatives } from '../jobs/job.ts'
import { addExif } from './copy-exif.ts'
import { type DecodeJob, UnprocessableMediaError } from './decoder-protocol.ts'

const THUMBNAIL_PIXELS = 400
// About 1 MB.
const COPY_PIXELS = 2_560
const COPY_QUALITY = 85
// Takes less than two thirds of the processor time of effort 2, for files that are 6 to 7 % larger.
const PREVIEW_EFFORT = 0
// Files are 3 to 7 % larger than with effort 4, the default.
const THUMBNAIL_EFFORT = 2

/** Encodes the copy that guests can save: a JPEG that says whose it is and when it was taken, and nothing else. */
const encodeCopy = async (image: Sharp, metadata: CopyMetadata): Promise<Buffer> =>
  addExif(
    await image
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: COPY_QUALITY })
      .toBuffer(),
    metadata,
  )

/**
 * Encodes thumbnail and preview as WebP, without metadata, and a copy if it is asked for. The pixels must not be larger
 * than `sizeFor` says.
 */
export const encodeDerivatives = async (
  { data, width, height, channels }: Pixels,
  copy?: CopyMetadata,
): Promise<Derivatives> => {
  const image = () => sharp(data, { raw: { width, height, channels } })
  const [preview, thumbnail, encodedCopy] = await Promise.all([
    image().resize(fitInside(PREVIEW_PIXELS)).webp({ quality: 80, effort: PREVIEW_EFFORT }).toBuffer(),
    image().resize(fitInside(THUMBNAIL_PIXELS)).webp({ quality: 75, effort: THUMBNAIL_EFFORT }).toBuffer(),
    copy && encodeCopy(image(), copy),
  ])
  return { preview, thumbnail, ...(encodedCopy && { copy: encodedCopy }) }
}

sharp.cache(false)
sharp.concurrency(1)
// The loaders of the accepted formats. libvips has many more, each of which may have vulnerabilities.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    ...['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}File`),
    // Of resized pixels only, see `resizeBeforeConversion`.
    'VipsForeignLoadTiffBuffer',
  ],
})

const PREVIEW_PIXELS = 1_600

/** The longest side of the pixels that a job needs. */
export const sizeFor = ({ copy }: Pick<DecodeJob, 'copy'>): number => (copy ? COPY_PIXELS : PREVIEW_PIXELS)

/** Decoded pixels: 8 bits a channel, sRGB, upright. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
}

/** Options of sharp's resize: fits the whole image into a square of `size` pixels, never enlarged. */
const fitInside = (size: number) =>
  ({ width: size, height: size, fit: 'inside', withoutEnlargement: true }) as const

interface ReadOptions {
  /** Rotates the image by its EXIF orientation. */
  autoOrient: boolean
  /** Whether it has a colour profile of 8 bits a channel. */
  hasRgbProfile: boolean
  /** Decodes what there is of a damaged image. */
  isPartAccepted?: boolean
}

/**
 * Decodes a file that sharp supports, at the size that the job needs. Throws `UnprocessableMediaError` if the image is damaged,
 * or with `isPartAccepted` if none of it can be decoded.
 */
export const readPixels = (
  { file, maxMegapixels, ...job }: Pick<DecodeJob, 'file' | 'maxMegapixels' | 'copy'>,
  { autoOrient, hasRgbProfile, isPartAccepted = false }: ReadOptions,
): Promise<Pixels> => {
  const image = sharp(file, {
    limitInputPixels: maxMegapixels * 1e6,
    // Many intact photos cause warnings; a truncated photo is an error.
    failOn: isPartAccepted ? 'none' : 'error',
    sequentialRead: true,
    pages: 1,
    autoOrient,
    ignoreIcc: hasRgbProfile,
  })
  const size = sizeFor(job)
  return hasRgbProfile ? resizeBeforeConversion(image, size) : resizePixels(image, size)
}

/**
 * Like `resizePixels`, for an image whose profile was ignored: converts its colours to sRGB after it was resized.
 * libvips would convert all pixels first, which takes three times as long as to decode a JPEG of 12 megapixels.
 */
const resizeBeforeConversion = async (image: Sharp, size: number): Promise<Pixels> => {
  const resized = await image
    .resize(fitInside(size))
    .keepIccProfile()
    .tiff({ compression: 'none' })
    .toBuffer()
    .catch(rejectDamaged)
  return resizePixels(sharp(resized), size)
}

const rejectDamaged = (): never => {
  throw new UnprocessableMediaError('The photo is damaged.')
}

/** Returns the pixels within a square of `size`. Throws `UnprocessableMediaError` if the image is damaged. */
export const resizePixels = async (image: Sharp, size: number): Promise<Pixels> => {
  const { data, info } = await image
    .resize(fitInside(size))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(rejectDamaged)
  return { data, width: info.width, height: info.height, channels: info.channels }
}
