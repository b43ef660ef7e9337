import { useCallback, useEffect, useRef, useState } from 'react'
import type { GalleryUpload } from '@confetti/contracts'
import { chooseSlide, emptyRotation, hasArrivals } from './rotation.ts'
import { isVideo } from '../gallery/texts.ts'
import { createPictureCache, type PictureCache } from './picture-cache.ts'

/** A longer video is cut. */
const MAX_VIDEO_MS = 30_000
const MIN_RETRY_MS = 1_000
/** How long a slide is shown at least, before it gives way to a new photo. */
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
  const [pictures] = useState(createPictureCache)
  const [slide, setSlide] = useState<readonly Shown[]>([])
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
    const loadNext = async (candidates: readonly GalleryUpload[]): Promise<readonly Shown[]> => {
      const next = chooseSlide({ uploads: candidates, rotation, newSince, isWide: isWide() })
      rotation = next.rotation
      return loadSlide(next.slide, pictures)
    }
    const showNext = async (): Promise<void> => {
      shownAt = undefined
      const next = await loadNext(uploads.current)
        .catch(() => loadNext(uploads.current.filter(({ _id }) => pictures.has(_id))))
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
  }, [slideMs, pictures])
  useEffect(() => () => pictures.keepOnly(new Set()), [pictures])

  return {
    slide,
    getShownIds: useCallback(() => shownIds.current, []),
    setUploads: useCallback(
      (listed: readonly GalleryUpload[]) => {
        uploads.current = listed
        pictures.keepOnly(new Set(listed.map(({ _id }) => _id)))
        showArrivals.current()
      },
      [pictures],
    ),
  }
}
