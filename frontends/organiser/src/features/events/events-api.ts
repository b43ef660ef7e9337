import type { CreateArchive } from '@confetti/album/archive-download'
import type { ListPage } from '@confetti/album/use-uploads'
import type { Event } from '@confetti/contracts'
import { api } from '@confetti/session'

interface Options {
  signal: AbortSignal
  quiet: boolean
}

export const fetchMyEvents = async (options: Options): Promise<Event[]> =>
  (await api().get('/api/myevents', options)).events

export const fetchEvent = (eventId: string, options: Options) =>
  api().get('/api/events/{eventId}', { params: { eventId }, ...options })

/** Lists the uploads of one of the organiser's own events, page by page. */
export const listUploadsOf =
  (eventId: string): ListPage =>
  (query, options) =>
    api().get('/api/myevents/uploads/{eventId}', { params: { eventId }, query, ...options })

/** Creates an archive of the uploads of one of the organiser's own events. */
export const createArchiveOf =
  (eventId: string): CreateArchive =>
  (body, options) =>
    api().post('/api/myevents/uploads/{eventId}/archives', { params: { eventId }, body, ...options })
