import sharp, { type Sharp } from 'sharp'
import type { DecodeJob } from './decoder-protocol.ts'
import { UnprocessableMediaError } from './errors.ts'

sharp.cache(false)
sharp.concurrency(1)
// The loaders of the accepted formats. libvips has many more, each of which may have vulnerabilities.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}File`),
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
 * orientation. Throws `UnprocessableMediaError` if the image is damaged.
 */
export const readPixels = (
  { file, maxMegapixels }: Pick<DecodeJob, 'file' | 'maxMegapixels'>,
  { autoOrient }: { autoOrient: boolean },
): Promise<Pixels> =>
  resizeToPreview(
    sharp(file, {
      limitInputPixels: maxMegapixels * 1e6,
      // Many intact photos cause warnings; a truncated photo is an error.
      failOn: 'error',
      sequentialRead: true,
      pages: 1,
      autoOrient,
    }),
  )

/** Returns the pixels at the size of a preview. Throws `UnprocessableMediaError` if the image is damaged. */
export const resizeToPreview = async (image: Sharp): Promise<Pixels> => {
  const { data, info } = await image
    .resize(fitInside(PREVIEW_PIXELS))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw new UnprocessableMediaError('The photo is damaged.')
    })
  return { data, width: info.width, height: info.height, channels: info.channels }
}
