import type { ListPage } from '@confetti/album/use-uploads'
import { api } from '@confetti/session'

/** Pages of an event's uploads, as an admin may see them. */
export const uploadsOf =
  (eventId: string): ListPage =>
  (query, options) =>
    api().get('/api/admin/uploads/event/{eventId}', { params: { eventId }, query, ...options })

/** The event that a list of uploads belongs to, for its name and its link; the list does not wait for it. */
export const fetchEventQuietly = (eventId: string, signal: AbortSignal) =>
  api().get('/api/events/{eventId}', { params: { eventId }, signal, quiet: true })

export const deleteUpload = (uploadId: string) =>
  api().delete('/api/admin/uploads/{uploadId}', { params: { uploadId } })
