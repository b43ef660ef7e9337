import { isVideoFile } from './file-choice.ts'
import { drawFrame } from './video-frame.ts'

const AT_ONCE = 2
/** Beyond this a photo may be 100 megapixels, which a small phone cannot unpack; bytes. */
const LARGEST = 30 * 1024 * 1024
/** For a tile of 52 px on a dense screen. */
export const PREVIEW_PX = 112

/** Draws the middle of a picture; false if there was none. */
const drawSquare = (
  source: CanvasImageSource,
  width: number,
  height: number,
  canvas: HTMLCanvasElement,
): boolean => {
  const context = canvas.getContext('2d')
  if (!context) return false
  const side = Math.min(width, height)
  const [x, y] = [(width - side) / 2, (height - side) / 2]
  context.drawImage(source, x, y, side, side, 0, 0, PREVIEW_PX, PREVIEW_PX)
  return context.getImageData(PREVIEW_PX / 2, PREVIEW_PX / 2, 1, 1).data[3] !== 0
}

const drawVideo = (file: File, canvas: HTMLCanvasElement): Promise<void> =>
  drawFrame(file, (video) => drawSquare(video, video.videoWidth, video.videoHeight, canvas))

const drawPhoto = async (file: File, canvas: HTMLCanvasElement): Promise<void> => {
  const bitmap = await createImageBitmap(file, { resizeWidth: 2 * PREVIEW_PX, resizeQuality: 'medium' })
  drawSquare(bitmap, bitmap.width, bitmap.height, canvas)
  bitmap.close()
}

interface Order {
  file: File
  canvas: HTMLCanvasElement
  onDrawn: () => void
}

const line = new Set<Order>()
let underWay = 0

const next = async (): Promise<void> => {
  const [order] = line
  if (!order || underWay >= AT_ONCE) return
  line.delete(order)
  underWay += 1
  try {
    const draw = isVideoFile(order.file) ? drawVideo : drawPhoto
    await draw(order.file, order.canvas)
    order.onDrawn()
  } catch {
    // A browser that cannot read it (HEIC outside of Safari, some videos) leaves the tile as it is.
  } finally {
    underWay -= 1
    void next()
  }
}

/**
 * Draws a file small on the canvas when its turn comes: an original unpacked takes 50 MB and more, so few are at any
 * time. The function it returns takes the order back, if it has not begun.
 */
export const orderPreview = (order: Order): (() => void) => {
  if (order.file.size > LARGEST && !isVideoFile(order.file)) return () => undefined
  line.add(order)
  void next()
  return () => void line.delete(order)
}
