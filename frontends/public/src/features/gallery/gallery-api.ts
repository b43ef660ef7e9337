import type { GalleryUpload } from '@confetti/contracts'
import { api } from '@confetti/session'

export interface GalleryPage {
  uploads: GalleryUpload[]
  nextCursor?: string | undefined
}

export const PAGE_SIZE = 60

interface Query {
  limit: number
  after?: string | undefined
}

const requestGallery = (eventId: string, query: Query, signal: AbortSignal): Promise<GalleryPage> =>
  api().get('/api/events/{eventId}/gallery', {
    params: { eventId },
    query: { ...query },
    asGuest: true,
    quiet: true,
    signal,
  })

let prefetched: { eventId: string; page: Promise<GalleryPage> } | undefined

/** Requests the first page of a gallery while the code of its screen is still loading. */
export const prefetchGallery = (eventId: string): void => {
  const page = requestGallery(eventId, { limit: PAGE_SIZE }, new AbortController().signal)
  // `fetchGallery` returns the promise and so reports the failure.
  page.catch(() => undefined)
  prefetched = { eventId, page }
}

/** Lists uploads of a gallery, newest first. */
export const fetchGallery = (eventId: string, query: Query, signal: AbortSignal): Promise<GalleryPage> => {
  const request = prefetched
  prefetched = undefined
  return request?.eventId === eventId && query.after === undefined
    ? request.page
    : requestGallery(eventId, query, signal)
}

export const reportUpload = (eventId: string, uploadId: string) =>
  api().post('/api/events/{eventId}/gallery/{uploadId}/reports', {
    params: { eventId, uploadId },
    asGuest: true,
    quiet: true,
  })
