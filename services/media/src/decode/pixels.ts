import sharp, { type Sharp } from 'sharp'
import type { DecodeJob } from './decoder-protocol.ts'
import { UnprocessableMediaError } from './errors.ts'

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
export const fitInside = (size: number) =>
  ({ width: size, height: size, fit: 'inside', withoutEnlargement: true }) as const

/**
 * Decodes a file that sharp supports, at the size of a preview. With `autoOrient` it is rotated by its EXIF
 * orientation; `hasRgbProfile` says that it has a colour profile of 8 bits a channel. Throws `UnprocessableMediaError` if
 * the image is damaged.
 */
export const readPixels = (
  { file, maxMegapixels }: Pick<DecodeJob, 'file' | 'maxMegapixels'>,
  { autoOrient, hasRgbProfile }: { autoOrient: boolean; hasRgbProfile: boolean },
): Promise<Pixels> => {
  const image = sharp(file, {
    limitInputPixels: maxMegapixels * 1e6,
    // Many intact photos cause warnings; a truncated photo is an error.
    failOn: 'error',
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
