import { isVideoFile } from './file-validation.ts'

/** Called when an element becomes visible. Returns what to call when it is hidden again. */
type OnVisible = () => () => void

const observed = new Map<Element, { onVisible: OnVisible; onHidden?: (() => void) | undefined }>()
let observer: IntersectionObserver | undefined

const handleEntries = (entries: readonly IntersectionObserverEntry[]): void => {
  for (const { target, isIntersecting } of entries) {
    const callbacks = observed.get(target)
    if (!callbacks) continue
    callbacks.onHidden?.()
    callbacks.onHidden = isIntersecting ? callbacks.onVisible() : undefined
  }
}

/**
 * Calls `onVisible` when the element comes near the viewport, and the function that it returned when the element leaves.
 * All elements share one observer. Returns a function that stops it.
 */
const whileVisible = (element: Element, onVisible: OnVisible): (() => void) => {
  observer ??= new IntersectionObserver(handleEntries, { rootMargin: '240px 0px' })
  observed.set(element, { onVisible })
  observer.observe(element)
  return () => {
    observer?.unobserve(element)
    observed.get(element)?.onHidden?.()
    observed.delete(element)
  }
}

const SEEK_TIMEOUT_MS = 5_000
const MAX_DRAW_ATTEMPTS = 20
const RETRY_DELAY_MS = 100
/** Not the start, because many videos begin with a black frame. */
const FRAME_TIME_SECONDS = 0.5

const seekToFrame = (video: HTMLVideoElement, url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Video seek timed out.')), SEEK_TIMEOUT_MS)
    video.onloadedmetadata = () => {
      video.currentTime = Math.min(FRAME_TIME_SECONDS, video.duration / 2)
    }
    video.onseeked = () => {
      clearTimeout(timer)
      resolve()
    }
    video.onerror = () => {
      clearTimeout(timer)
      reject(new Error('Cannot play this video.'))
    }
    video.muted = true
    video.playsInline = true
    video.preload = 'metadata'
    video.src = url
  })

/**
 * Calls `draw` with a video that shows a frame near its start. `draw` returns whether the frame was decoded.
 * Rejects if the browser cannot play the video.
 */
const drawFrame = async (file: File, draw: (video: HTMLVideoElement) => boolean): Promise<void> => {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  try {
    await seekToFrame(video, url)
    // Chrome sometimes fires `seeked` before the frame is decoded.
    for (let attempt = 1; !draw(video); attempt += 1) {
      if (attempt === MAX_DRAW_ATTEMPTS) throw new Error('No video frame to draw.')
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
    }
  } finally {
    video.onerror = null
    // Frees the decoder at once: a phone has only a few.
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

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
