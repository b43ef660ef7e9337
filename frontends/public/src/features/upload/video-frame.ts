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
export const drawFrame = async (file: File, draw: (video: HTMLVideoElement) => boolean): Promise<void> => {
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
