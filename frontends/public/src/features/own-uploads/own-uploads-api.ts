import type { GuestUpload } from '@confetti/contracts'
import { api } from '@confetti/session'

export interface OwnUploadsPage {
  uploads: GuestUpload[]
  nextCursor?: string | undefined
}

/** The newest `limit` files that this guest has sent to an event. */
export const fetchOwnUploads = (
  eventId: string,
  limit: number,
  signal: AbortSignal,
): Promise<OwnUploadsPage> =>
  api().get('/api/guest/uploads', { query: { eventId, limit }, asGuest: true, quiet: true, signal })

export const deleteOwnUpload = (uploadId: string, options: { keepalive: boolean }) =>
  api().delete('/api/guest/uploads/{uploadId}', {
    params: { uploadId },
    asGuest: true,
    quiet: true,
    ...options,
  })
