import { useCallback, useEffect, useRef, useState } from 'react'
import type { GalleryUpload } from '@confetti/contracts'
import { chooseSlide, emptyRotation, hasArrivals } from './rotation.ts'
import { isVideo } from '../gallery/texts.ts'

/** A slide whose pictures take longer is skipped. */
const LOAD_TIMEOUT_MS = 15_000
/** A longer video is cut. */
const MAX_VIDEO_MS = 30_000
const MIN_RETRY_MS = 1_000
/** How long a slide is shown at least, before it gives way to a new photo. */
const MIN_SLIDE_MS = 1_500

const isWide = (): boolean => window.innerWidth > window.innerHeight

const loadPicture = (src: string): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), LOAD_TIMEOUT_MS)
    const picture = new Image()
    const finish = (isLoaded: boolean) => () => {
      clearTimeout(timer)
      resolve(isLoaded)
    }
    picture.onload = finish(true)
    picture.onerror = finish(false)
    picture.src = src
  })

const loadSlide = async (slide: readonly GalleryUpload[]): Promise<boolean> =>
  (await Promise.all(slide.map(({ previewUrl }) => loadPicture(previewUrl)))).every(Boolean)

const getDurationMs = (slide: readonly GalleryUpload[], slideMs: number): number => {
  const [first] = slide
  return first?.videoUrl && isVideo(first)
    ? Math.min(MAX_VIDEO_MS, Math.max(slideMs, (first.durationSeconds ?? 0) * 1_000))
    : slideMs
}

/** The slide that a wall shows. The next one is loaded before it is shown; what is removed from the list goes at once. */
export const useSlides = (slideMs: number) => {
  const uploads = useRef<readonly GalleryUpload[]>([])
  const [slide, setSlide] = useState<readonly GalleryUpload[]>([])
  const shownIds = useRef<readonly string[]>([])
  const showArrivals = useRef<() => void>(() => undefined)

  useEffect(() => {
    // Uploads that arrive from now on come first.
    const newSince = new Date().toISOString()
    let rotation = emptyRotation
    let timer: ReturnType<typeof setTimeout>
    let isEnded = false
    /** When the current slide appeared; undefined while the next one is loaded. */
    let shownAt: number | undefined
    const showNext = async (): Promise<void> => {
      shownAt = undefined
      const next = chooseSlide({ uploads: uploads.current, rotation, newSince, isWide: isWide() })
      rotation = next.rotation
      const isLoaded = next.slide.length > 0 && (await loadSlide(next.slide))
      if (isEnded) return
      const listed = new Set(uploads.current.map(({ _id }) => _id))
      const isListed = next.slide.every(({ _id }) => listed.has(_id))
      if (isLoaded && isListed) {
        shownIds.current = next.slide.map(({ _id }) => _id)
        setSlide(next.slide)
      }
      shownAt = performance.now()
      timer = setTimeout(
        () => void showNext(),
        isLoaded && isListed ? getDurationMs(next.slide, slideMs) : MIN_RETRY_MS,
      )
    }
    showArrivals.current = () => {
      if (shownAt === undefined || !hasArrivals(uploads.current, newSince, rotation)) return
      clearTimeout(timer)
      timer = setTimeout(() => void showNext(), Math.max(0, shownAt + MIN_SLIDE_MS - performance.now()))
    }
    void showNext()
    return () => {
      isEnded = true
      clearTimeout(timer)
    }
  }, [slideMs])

  return {
    slide,
    getShownIds: useCallback(() => shownIds.current, []),
    setUploads: useCallback((listed: readonly GalleryUpload[]) => {
      uploads.current = listed
      showArrivals.current()
    }, []),
  }
}
