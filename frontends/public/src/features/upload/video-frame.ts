const LIMIT_MS = 5_000
const TRIES = 20
const BETWEEN_TRIES_MS = 100
/** Videos often begin black; seconds. */
const INTO_IT = 0.5

const showFrame = (video: HTMLVideoElement, url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The video shows no frame in time.')), LIMIT_MS)
    video.onloadedmetadata = () => {
      video.currentTime = Math.min(INTO_IT, video.duration / 2)
    }
    video.onseeked = () => {
      clearTimeout(late)
      resolve()
    }
    video.onerror = () => {
      clearTimeout(late)
      reject(new Error('The browser cannot play this video.'))
    }
    video.muted = true
    video.playsInline = true
    video.preload = 'metadata'
    video.src = url
  })

/**
 * Has `draw` draw a frame near the video's beginning; fails where the browser cannot play it. `draw` tells whether
 * anything was there to be drawn.
 */
export const drawFrame = async (file: File, draw: (video: HTMLVideoElement) => boolean): Promise<void> => {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  try {
    await showFrame(video, url)
    // Chrome says at times that it is there when it is not decoded yet.
    for (let tries = 1; !draw(video); tries += 1) {
      if (tries === TRIES) throw new Error('The video shows no frame.')
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS))
    }
  } finally {
    video.onerror = null
    // A phone has few decoders: this one is given back at once.
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}
