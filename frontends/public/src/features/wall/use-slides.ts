import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { wait } from '@confetti/api-client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { GalleryUpload } from '@confetti/contracts'
import { isVideo } from '../gallery/formats.ts'
import { chooseSlide, hasArrivals, startRotation } from './rotation.ts'
import type { WallList } from './wall-list.ts'

/** About 40 MB. */
const MAX_PICTURES = 200
const LOAD_TIMEOUT_MS = 15_000

const fetchPicture = async (link: string, signal: AbortSignal): Promise<Blob> => {
  const response = await fetch(link, { signal })
  if (!response.ok) throw new Error(`The picture could not be loaded: ${response.status}`)
  return response.blob()
}

/**
 * The pictures that a wall has shown last, by the id of their upload: the wall continues with them without a network
 * and when their links have expired.
 */
const createPictureCache = () => {
  /** Object URLs; those used last come last. */
  const urls = new Map<string, string>()
  const closing = new AbortController()
  const remove = (id: string): void => {
    const url = urls.get(id)
    if (url !== undefined) URL.revokeObjectURL(url)
    urls.delete(id)
  }
  const use = (id: string, url: string): string => {
    urls.delete(id)
    urls.set(id, url)
    const [oldest] = urls.keys()
    if (urls.size > MAX_PICTURES && oldest !== undefined) remove(oldest)
    return url
  }

  return {
    has: (id: string): boolean => urls.has(id),
    /** Resolves with an object URL of a picture; rejects if it is neither known nor can be loaded. */
    load: async (id: string, link: string): Promise<string> => {
      const known = urls.get(id)
      if (known !== undefined) return use(id, known)
      const picture = await requestWithTimeout(
        closing.signal,
        (signal) => fetchPicture(link, signal),
        LOAD_TIMEOUT_MS,
      )
      if (closing.signal.aborted) throw new Error('The wall has been closed.')
      const url = URL.createObjectURL(picture)
      // Another call may have loaded it meanwhile.
      remove(id)
      return use(id, url)
    },
    /** Removes all pictures but those of `ids`. */
    keepOnly: (ids: ReadonlySet<string>): void => {
      for (const id of urls.keys()) if (!ids.has(id)) remove(id)
    },
    /** Removes all pictures, also those that are being loaded. */
    close: (): void => {
      closing.abort()
      for (const id of urls.keys()) remove(id)
    },
  }
}
type PictureCache = ReturnType<typeof createPictureCache>

/** A longer video is cut. */
const MAX_VIDEO_MS = 30_000
const MIN_RETRY_MS = 1_000
/** What could not be loaded is left out for so long. */
const FAILED_MS = 60_000
/** How long a slide is shown at least, before a new photo replaces it. */
const MIN_SLIDE_MS = 1_500
/** Without a network the wall goes on with what it has. */
const CONFIRM_TIMEOUT_MS = 3_000

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

/** Resolves when the list has confirmed what it has, when that has failed, or after a time limit. */
const confirmList = async (confirm: WallList['confirm']): Promise<void> => {
  const timeout = new AbortController()
  await Promise.race([confirm().catch(() => undefined), wait(CONFIRM_TIMEOUT_MS, timeout.signal)])
  timeout.abort()
}

/**
 * The slide that a wall shows. The next one is loaded before it is shown; where that fails, one that was shown before
 * takes its place. What is removed from the list goes at once.
 */
export const useSlides = (slideMs: number, { confirm }: Pick<WallList, 'confirm'>) => {
  const uploads = useRef<readonly GalleryUpload[]>([])
  const [slide, setSlide] = useState<readonly Shown[]>([])
  const handleList = useRef<() => void>(() => undefined)
  const handleVideoFailure = useRef<() => void>(() => undefined)

  useEffect(() => {
    const pictures = createPictureCache()
    /** Until when those that could not be loaded are left out. */
    const failedUntil = new Map<string, number>()
    let rotation = startRotation([])
    let isStarted = false
    let shownIds: readonly string[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let isEnded = false
    /** When the current slide appeared; undefined while the next one is loaded. */
    let shownAt: number | undefined
    const isLoadable = ({ _id }: GalleryUpload): boolean =>
      performance.now() >= (failedUntil.get(_id) ?? 0) || pictures.has(_id)

    const loadNext = async (canShow: (upload: GalleryUpload) => boolean): Promise<readonly Shown[]> => {
      const next = chooseSlide({ uploads: uploads.current, rotation, canShow, isWide: isWide() })
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
    const show = (next: readonly Shown[]): void => {
      shownIds = next.map(({ upload }) => upload._id)
      setSlide(next)
    }
    const showNext = async (): Promise<void> => {
      clearTimeout(timer)
      shownAt = undefined
      const next = await loadNext(isLoadable)
        .catch(() => loadNext(({ _id }) => pictures.has(_id)))
        .catch(() => [])
      await confirmList(confirm)
      if (isEnded) return
      const listed = new Set(uploads.current.map(({ _id }) => _id))
      const isShowable = next.length > 0 && next.every(({ upload }) => listed.has(upload._id))
      if (isShowable) show(next)
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
      if (!isStarted) {
        isStarted = true
        // What the first list lacks has arrived since.
        rotation = startRotation(uploads.current)
        void showNext()
        return
      }
      const listed = new Set(uploads.current.map(({ _id }) => _id))
      pictures.keepOnly(listed)
      for (const id of failedUntil.keys()) if (!listed.has(id)) failedUntil.delete(id)
      if (shownIds.some((id) => !listed.has(id))) {
        show([])
        showNextAfter(0)
      } else if (hasArrivals(uploads.current, { rotation, canShow: isLoadable })) showNextAfter(MIN_SLIDE_MS)
    }
    handleVideoFailure.current = () => showNextAfter(slideMs)
    if (uploads.current.length > 0) handleList.current()
    return () => {
      isEnded = true
      clearTimeout(timer)
      pictures.close()
    }
  }, [slideMs, confirm])

  return {
    slide,
    setUploads: useCallback((listed: readonly GalleryUpload[]) => {
      uploads.current = listed
      handleList.current()
    }, []),
    /** Reports that a video does not play: its poster is shown as long as a picture. */
    reportVideoFailure: useCallback(() => handleVideoFailure.current(), []),
  }
}
