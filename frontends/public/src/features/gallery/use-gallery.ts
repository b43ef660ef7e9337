import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { requestWithTimeout } from '../polling/request-with-timeout.ts'
import { fetchGallery } from './gallery-api.ts'
import { createGalleryList } from './gallery-list.ts'
import { pollGallery } from './poll-gallery.ts'

/** The gallery of an event, kept up to date while the page is visible. `hasOpenPhoto`: whether the guest looks at one. */
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
    void list
      .reload()
      // The state has the error. Polling tries again.
      .catch(() => undefined)
      .then(() => pollGallery(list, () => latestHasOpenPhoto.current, controller.signal))
    return () => controller.abort()
  }, [list, controller])

  return { list, state }
}
