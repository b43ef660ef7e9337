import { useEffect, useState, useSyncExternalStore } from 'react'
import { withTimeout } from '../polling/with-timeout.ts'
import { fetchGallery } from './gallery-api.ts'
import { createGalleryList } from './gallery-list.ts'
import { pollGallery } from './poll-gallery.ts'

/** The gallery of an event, kept up to date while the page is visible. */
export const useGallery = (eventId: string) => {
  const [{ list, controller }] = useState(() => {
    const ending = new AbortController()
    return {
      controller: ending,
      list: createGalleryList({
        fetchPage: (query) => withTimeout(ending.signal, (signal) => fetchGallery(eventId, query, signal)),
        now: Date.now,
      }),
    }
  })
  const state = useSyncExternalStore(list.subscribe, list.getState)

  useEffect(() => {
    void list
      .reload()
      // The state has the error. Polling tries again.
      .catch(() => undefined)
      .then(() => pollGallery(list, controller.signal))
    return () => controller.abort()
  }, [list, controller])

  return { list, state }
}
