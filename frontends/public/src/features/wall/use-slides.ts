import { useCallback, useEffect, useRef, useState } from 'react'
import type { GalleryUpload } from '@confetti/contracts'
import { chooseSlide, emptyRotation, hasArrivals } from './rotation.ts'
import { isVideo } from '../gallery/texts.ts'
import { createPictureCache, type PictureCache } from './picture-cache.ts'

/** A longer video is cut. */
const MAX_VIDEO_MS = 30_000
const MIN_RETRY_MS = 1_000
/** What could not be loaded is left out for so long. */
const FAILED_MS = 60_000
/** How long a slide is shown at least, before a new photo replaces it. */
const MIN_SLIDE_MS = 1_500

const isWide = (): boolean => window.innerWidth > window.innerHeight

/** An upload with its picture on this machine. */
export interface Shown {
  upload: GalleryUpload
  pictureUrl: string
}

const loadSlide = (uploads: readonly GalleryUpload[], pictures: PictureCache): Promise<Shown[]> =>
  Promise.all(
    uploads.map(async (upload) => ({
      upload,
      pictureUrl: await pictures.load(upload._id, upload.previewUrl),
    })),
  )

const getDurationMs = (slide: readonly Shown[], slideMs: number): number => {
  const first = slide[0]?.upload
  return first?.videoUrl && isVideo(first)
    ? Math.min(MAX_VIDEO_MS, Math.max(slideMs, (first.durationSeconds ?? 0) * 1_000))
    : slideMs
}

/**
 * The slide that a wall shows. The next one is loaded before it is shown; where that fails, one that was shown before
 * takes its place. What is removed from the list goes at once.
 */
export const useSlides = (slideMs: number) => {
  const uploads = useRef<readonly GalleryUpload[]>([])
  const [slide, setSlide] = useState<readonly Shown[]>([])
  const shownIds = useRef<readonly string[]>([])
  const handleList = useRef<() => void>(() => undefined)
  const handleVideoFailure = useRef<() => void>(() => undefined)

  useEffect(() => {
    // Uploads that arrive from now on come first.
    const newSince = new Date().toISOString()
    const pictures = createPictureCache()
    /** Until when those that could not be loaded are left out. */
    const failedUntil = new Map<string, number>()
    let rotation = emptyRotation
    let timer: ReturnType<typeof setTimeout>
    let isEnded = false
    /** When the current slide appeared; undefined while the next one is loaded. */
    let shownAt: number | undefined
    const isLoadable = ({ _id }: GalleryUpload): boolean =>
      performance.now() >= (failedUntil.get(_id) ?? 0) || pictures.has(_id)

    const loadNext = async (canShow: (upload: GalleryUpload) => boolean): Promise<readonly Shown[]> => {
      const next = chooseSlide({ uploads: uploads.current, rotation, newSince, canShow, isWide: isWide() })
      try {
        const loaded = await loadSlide(next.slide, pictures)
        rotation = next.rotation
        return loaded
      } catch (error) {
        for (const { _id } of next.slide)
          if (!pictures.has(_id)) failedUntil.set(_id, performance.now() + FAILED_MS)
        throw error
      }
    }
    const showNext = async (): Promise<void> => {
      clearTimeout(timer)
      shownAt = undefined
      const next = await loadNext(isLoadable)
        .catch(() => loadNext(({ _id }) => pictures.has(_id)))
        .catch(() => [])
      if (isEnded) return
      const listed = new Set(uploads.current.map(({ _id }) => _id))
      const isShowable = next.length > 0 && next.every(({ upload }) => listed.has(upload._id))
      if (isShowable) {
        shownIds.current = next.map(({ upload }) => upload._id)
        setSlide(next)
      }
      shownAt = performance.now()
      timer = setTimeout(() => void showNext(), isShowable ? getDurationMs(next, slideMs) : MIN_RETRY_MS)
    }
    /** Shows the next slide when the current one has been shown for `ms`. */
    const showNextAfter = (ms: number): void => {
      if (shownAt === undefined) return
      clearTimeout(timer)
      timer = setTimeout(() => void showNext(), Math.max(0, shownAt + ms - performance.now()))
    }

    handleList.current = () => {
      const listed = new Set(uploads.current.map(({ _id }) => _id))
      pictures.keepOnly(listed)
      for (const id of failedUntil.keys()) if (!listed.has(id)) failedUntil.delete(id)
      if (shownIds.current.some((id) => !listed.has(id))) {
        shownIds.current = []
        setSlide([])
        showNextAfter(0)
      } else if (hasArrivals(uploads.current, { rotation, newSince, canShow: isLoadable }))
        showNextAfter(MIN_SLIDE_MS)
    }
    handleVideoFailure.current = () => showNextAfter(slideMs)
    void showNext()
    return () => {
      isEnded = true
      clearTimeout(timer)
      pictures.close()
    }
  }, [slideMs])

  return {
    slide,
    getShownIds: useCallback(() => shownIds.current, []),
    setUploads: useCallback((listed: readonly GalleryUpload[]) => {
      uploads.current = listed
      handleList.current()
    }, []),
    /** Reports that a video does not play: its poster is shown as long as a picture. */
    reportVideoFailure: useCallback(() => handleVideoFailure.current(), []),
  }
}
