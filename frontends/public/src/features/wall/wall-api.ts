import type { GalleryUpload, GuestEvent } from '@confetti/contracts'
import { api } from '@confetti/session'

interface WallPage {
  uploads: GalleryUpload[]
  nextCursor?: string | undefined
}

/** Lists the uploads of a live wall, newest first. Its key is in the wall's link. */
export const fetchWall = (
  eventId: string,
  key: string,
  query: { limit: number; after?: string | undefined },
  signal: AbortSignal,
): Promise<WallPage> =>
  api().get('/api/wall/{eventId}', {
    params: { eventId },
    query: { ...query },
    headers: { 'X-Wall-Key': key },
    asGuest: true,
    quiet: true,
    signal,
  })

export const fetchWallEvent = (eventId: string, signal: AbortSignal): Promise<GuestEvent> =>
  api().get('/api/events/{eventId}', { params: { eventId }, asGuest: true, quiet: true, signal })
