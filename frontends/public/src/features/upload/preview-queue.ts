import { isVideoFile } from './file-validation.ts'
import { drawFrame } from './video-frame.ts'
import { whileVisible } from './while-visible.ts'

const MAX_CONCURRENCY = 2
/** Larger photos may have 100 megapixels, more than the memory of a small phone can decode. */
const MAX_PHOTO_BYTES = 30 * 1024 * 1024
/** For a tile of 52 CSS pixels on a high-density screen. */
const PREVIEW_PX = 112

/** Draws the centre square of a picture. Returns false if the picture was still empty. */
const drawSquare = (
  source: CanvasImageSource,
  width: number,
  height: number,
  canvas: HTMLCanvasElement,
): boolean => {
  canvas.width = PREVIEW_PX
  canvas.height = PREVIEW_PX
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

interface PreviewRequest {
  file: File
  canvas: HTMLCanvasElement
  onDrawn: () => void
}

const pending = new Set<PreviewRequest>()
let inFlight = 0

const startNext = async (): Promise<void> => {
  const [request] = pending
  if (!request || inFlight >= MAX_CONCURRENCY) return
  pending.delete(request)
  inFlight += 1
  try {
    const draw = isVideoFile(request.file) ? drawVideo : drawPhoto
    await draw(request.file, request.canvas)
    request.onDrawn()
  } catch {
    // The browser cannot decode the file (HEIC outside of Safari, some videos), so the tile keeps its icon.
  } finally {
    inFlight -= 1
    void startNext()
  }
}

/**
 * Queues the drawing of a small preview on the canvas. Only two are drawn at a time, because a decoded original takes
 * 50 MB or more. Returns a function that cancels the request, if it has not started.
 */
const enqueuePreview = (request: PreviewRequest): (() => void) => {
  if (request.file.size > MAX_PHOTO_BYTES && !isVideoFile(request.file)) return () => undefined
  pending.add(request)
  void startNext()
  return () => void pending.delete(request)
}

/** Draws the preview when the canvas comes near the viewport. Returns a function that stops that. */
export const drawPreview = (request: PreviewRequest): (() => void) =>
  whileVisible(request.canvas, () => enqueuePreview(request))
