const AT_ONCE = 2
/** Beyond this an original may be 100 megapixels, which a small phone cannot unpack; bytes. */
const LARGEST = 30 * 1024 * 1024
/** For a tile of 52 px on a dense screen. */
export const PREVIEW_PX = 112

const draw = async (file: File, canvas: HTMLCanvasElement): Promise<void> => {
  const bitmap = await createImageBitmap(file, { resizeWidth: 2 * PREVIEW_PX, resizeQuality: 'medium' })
  const { width, height } = bitmap
  const side = Math.min(width, height)
  canvas
    .getContext('2d')
    ?.drawImage(bitmap, (width - side) / 2, (height - side) / 2, side, side, 0, 0, PREVIEW_PX, PREVIEW_PX)
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
    await draw(order.file, order.canvas)
    order.onDrawn()
  } catch {
    // A browser that cannot read it (HEIC outside of Safari) leaves the tile as it is.
  } finally {
    underWay -= 1
    void next()
  }
}

/**
 * Draws a photo small on the canvas when its turn comes: an original unpacked takes 50 MB and more, so few are at any
 * time. The function it returns takes the order back, if it has not begun.
 */
export const orderPreview = (order: Order): (() => void) => {
  if (order.file.size > LARGEST) return () => undefined
  line.add(order)
  void next()
  return () => void line.delete(order)
}
