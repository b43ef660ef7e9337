import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { keepFresh } from '@confetti/album/keep-fresh'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import type { GalleryTotal } from '@confetti/contracts'
import { createGalleryList, fetchGallery } from './gallery-list.ts'

/** While uploads come, the next ones, and what is hidden or deleted, follow within five seconds. */
const POLL_INTERVAL_MS = 2_500
/** When nothing has changed for a while, and no photo is open: what is hidden disappears within 15 seconds. */
const QUIET_INTERVAL_MS = 10_000
const QUIET_AFTER_MS = 30_000
const MAX_INTERVAL_MS = 60_000

const interactions = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const

/**
 * The gallery of an event, or of one name in it, kept fresh while the page is visible. `hasOpenPhoto`: whether the guest
 * looks at one.
 */
export const useGallery = (eventId: string, credit: string | undefined, hasOpenPhoto: boolean) => {
  const latestTotal = useRef<GalleryTotal>(undefined)
  const { list, controller } = useMemo(() => {
    const ending = new AbortController()
    return {
      controller: ending,
      list: createGalleryList({
        fetchPage: (query) =>
          requestWithTimeout(ending.signal, (signal) => fetchGallery(eventId, { ...query, credit }, signal)),
        now: Date.now,
        total: latestTotal.current,
      }),
    }
  }, [eventId, credit])
  const state = useSyncExternalStore(list.subscribe, list.getState)

  useEffect(() => {
    latestTotal.current = state.total
  }, [state.total])

  const latestHasOpenPhoto = useRef(hasOpenPhoto)
  useEffect(() => {
    latestHasOpenPhoto.current = hasOpenPhoto
  }, [hasOpenPhoto])

  useEffect(() => {
    const { signal } = controller
    const isQuiet = (): boolean =>
      !latestHasOpenPhoto.current && Date.now() - list.getChangedAt() > QUIET_AFTER_MS
    const { wake } = keepFresh({
      refresh: () => list.refresh(),
      getIntervalMs: () => (isQuiet() ? QUIET_INTERVAL_MS : POLL_INTERVAL_MS),
      minIntervalMs: POLL_INTERVAL_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      signal,
    })
    const wakeIfVisible = (): void => {
      if (document.visibilityState === 'visible') wake()
    }
    document.addEventListener('visibilitychange', wakeIfVisible, { signal })
    for (const type of interactions) window.addEventListener(type, wake, { passive: true, signal })
    return () => controller.abort()
  }, [list, controller])

  return { list, state }
}
