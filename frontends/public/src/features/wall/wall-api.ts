import type * as contracts from '@confetti/contracts'
import type { GalleryUpload, GuestEvent } from '@confetti/contracts'
import { api } from '@confetti/session'

/** A constant of its own, because the contracts would bring their schemas into the browser. */
export const WALL_KEY_HEADER: typeof contracts.WALL_KEY_HEADER = 'X-Wall-Key'

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
    headers: { [WALL_KEY_HEADER]: key },
    asGuest: true,
    quiet: true,
    signal,
  })

export const fetchWallEvent = (eventId: string, signal: AbortSignal): Promise<GuestEvent> =>
  api().get('/api/events/{eventId}', { params: { eventId }, asGuest: true, quiet: true, signal })
