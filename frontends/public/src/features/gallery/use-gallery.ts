import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { keepFresh } from '@confetti/album/keep-fresh'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { createGalleryList, fetchGallery } from './gallery-list.ts'

/** What is hidden or deleted disappears within three seconds. */
const POLL_INTERVAL_MS = 2_500
/** Without a touch, key or movement, and while no photo is open. */
const IDLE_INTERVAL_MS = 10_000
const IDLE_AFTER_MS = 2 * 60_000
const MAX_INTERVAL_MS = 60_000

const interactions = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const

/** The gallery of an event, kept fresh while the page is visible. `hasOpenPhoto`: whether the guest looks at one. */
export const useGallery = (eventId: string, hasOpenPhoto: boolean) => {
  const [{ list, controller }] = useState(() => {
    const ending = new AbortController()
    return {
      controller: ending,
      list: createGalleryList({
        fetchPage: (query) =>
          requestWithTimeout(ending.signal, (signal) => fetchGallery(eventId, query, signal)),
        now: Date.now,
      }),
    }
  })
  const state = useSyncExternalStore(list.subscribe, list.getState)

  const latestHasOpenPhoto = useRef(hasOpenPhoto)
  useEffect(() => {
    latestHasOpenPhoto.current = hasOpenPhoto
  }, [hasOpenPhoto])

  useEffect(() => {
    const { signal } = controller
    let usedAt = Date.now()
    const isIdle = (): boolean => !latestHasOpenPhoto.current && Date.now() - usedAt > IDLE_AFTER_MS
    const { wake } = keepFresh({
      refresh: () => list.refresh(),
      getIntervalMs: () => (isIdle() ? IDLE_INTERVAL_MS : POLL_INTERVAL_MS),
      minIntervalMs: POLL_INTERVAL_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      signal,
    })
    const handleInteraction = (): void => {
      if (isIdle()) wake()
      usedAt = Date.now()
    }
    for (const type of interactions)
      window.addEventListener(type, handleInteraction, { passive: true, signal })
    return () => controller.abort()
  }, [list, controller])

  return { list, state }
}
