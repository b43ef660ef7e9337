import sharp, { type Sharp } from 'sharp'
import type { Derivatives } from '../jobs/job.ts'
import type { DecodeJob } from './decoder-protocol.ts'
import { UnprocessableMediaError } from './errors.ts'

const THUMBNAIL_PIXELS = 400
// Takes less than two thirds of the processor time of effort 2, for files that are 6 to 7 % larger.
const PREVIEW_EFFORT = 0
// Files are 3 to 7 % larger than with effort 4, the default.
const THUMBNAIL_EFFORT = 2

/** Encodes thumbnail and preview as WebP, without metadata. The pixels must not be larger than a preview. */
export const encodeDerivatives = async ({ data, width, height, channels }: Pixels): Promise<Derivatives> => {
  const image = () => sharp(data, { raw: { width, height, channels } })
  const [preview, thumbnail] = await Promise.all([
    image().webp({ quality: 80, effort: PREVIEW_EFFORT }).toBuffer(),
    image().resize(fitInside(THUMBNAIL_PIXELS)).webp({ quality: 75, effort: THUMBNAIL_EFFORT }).toBuffer(),
  ])
  return { preview, thumbnail }
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

export const PREVIEW_PIXELS = 1_600

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
 * Decodes a file that sharp supports, at the size of a preview. Throws `UnprocessableMediaError` if the image is damaged,
 * or with `isPartAccepted` if none of it can be decoded.
 */
export const readPixels = (
  { file, maxMegapixels }: Pick<DecodeJob, 'file' | 'maxMegapixels'>,
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
  return hasRgbProfile ? resizeBeforeConversion(image) : resizeToPreview(image)
}

/**
 * Like `resizeToPreview`, for an image whose profile was ignored: converts its colours to sRGB after it was resized.
 * libvips would convert all pixels first, which takes three times as long as to decode a JPEG of 12 megapixels.
 */
const resizeBeforeConversion = async (image: Sharp): Promise<Pixels> => {
  const resized = await image
    .resize(fitInside(PREVIEW_PIXELS))
    .keepIccProfile()
    .tiff({ compression: 'none' })
    .toBuffer()
    .catch(rejectDamaged)
  return resizeToPreview(sharp(resized))
}

const rejectDamaged = (): never => {
  throw new UnprocessableMediaError('The photo is damaged.')
}

/** Returns the pixels at the size of a preview. Throws `UnprocessableMediaError` if the image is damaged. */
export const resizeToPreview = async (image: Sharp): Promise<Pixels> => {
  const { data, info } = await image
    .resize(fitInside(PREVIEW_PIXELS))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(rejectDamaged)
  return { data, width: info.width, height: info.height, channels: info.channels }
}
