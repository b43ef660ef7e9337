import sharp from 'sharp'
import type { Derivatives } from '../storage/blob-store.ts'
import { fitInside, type Pixels } from './pixels.ts'

const THUMBNAIL_PIXELS = 400
// A third of the processor time of the next ones, for a tenth more bytes.
const PREVIEW_EFFORT = 1

/** The two WebP files, from pixels that are no larger than a preview; without any metadata. */
export const encodeDerivatives = async ({ data, width, height, channels }: Pixels): Promise<Derivatives> => {
  const open = () => sharp(data, { raw: { width, height, channels } })
  const [preview, thumbnail] = await Promise.all([
    open().webp({ quality: 80, effort: PREVIEW_EFFORT }).toBuffer(),
    open().resize(fitInside(THUMBNAIL_PIXELS)).webp({ quality: 75 }).toBuffer(),
  ])
  return { preview, thumbnail }
}
