import type { GalleryUpload } from '@confetti/contracts'
import { api } from '@confetti/session'

export interface GalleryPage {
  uploads: GalleryUpload[]
  nextCursor?: string | undefined
}

// The inline script of the shell's index.html requests the first page with the same.
export const PAGE_SIZE = 60

interface Query {
  limit: number
  after?: string | undefined
}

/** Lists uploads of a gallery, newest first. */
export const fetchGallery = (eventId: string, query: Query, signal: AbortSignal): Promise<GalleryPage> =>
  api().get('/api/events/{eventId}/gallery', {
    params: { eventId },
    query: { ...query },
    asGuest: true,
    quiet: true,
    signal,
  })

export const reportUpload = (eventId: string, uploadId: string) =>
  api().post('/api/events/{eventId}/gallery/{uploadId}/reports', {
    params: { eventId, uploadId },
    asGuest: true,
    quiet: true,
  })
