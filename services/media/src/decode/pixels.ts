import sharp, { type Sharp } from 'sharp'
import type { DecodeJob } from './decoder-protocol.ts'
import { MediaProblem } from './media-problem.ts'

sharp.cache(false)
sharp.concurrency(1)
// What guests may send; libvips knows many more formats, each with its own holes.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}File`),
})

export const PREVIEW_PIXELS = 1_600

/** Decoded pixels, 8 bits a channel, sRGB, upright. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
}

/** How sharp resizes to a square of `size` pixels: whole, in its proportions, never enlarged. */
export const fitInside = (size: number) =>
  ({ width: size, height: size, fit: 'inside', withoutEnlargement: true }) as const

/** Decodes a file that sharp can open, at the size of a preview, in sRGB; `turn` as its EXIF says. */
export const openPhoto = (
  { file, maxMegapixels }: Pick<DecodeJob, 'file' | 'maxMegapixels'>,
  { turn }: { turn: boolean },
): Promise<Pixels> =>
  shrink(
    sharp(file, {
      limitInputPixels: maxMegapixels * 1e6,
      // Many whole photos give warnings; a photo that ends early is an error.
      failOn: 'error',
      sequentialRead: true,
      pages: 1,
      autoOrient: turn,
    }),
  )

/** Pixels at the size of a preview; throws MediaProblem when there is something wrong with the picture. */
export const shrink = async (image: Sharp): Promise<Pixels> => {
  const { data, info } = await image
    .resize(fitInside(PREVIEW_PIXELS))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw new MediaProblem('The photo is damaged.')
    })
  return { data, width: info.width, height: info.height, channels: info.channels }
}
