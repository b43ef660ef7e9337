import { queryOptions } from '@tanstack/react-query'
import type { CreateArchive } from '@confetti/album/archive-download'
import type { SettingsCalls } from '@confetti/album/settings/event-settings'
import type { ModerationCalls } from '@confetti/album/moderation'
import type { ListPage } from '@confetti/album/use-uploads'
import type { Event } from '@confetti/contracts'
import { api } from '@confetti/session'

interface Options {
  signal: AbortSignal
  quiet: boolean
}

export const fetchMyEvents = async (options: Options): Promise<Event[]> =>
  (await api().get('/api/myevents', options)).events

/** One event, loaded without the loading overlay. Only its organisers get all of its fields. */
export const eventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['event', eventId],
    queryFn: ({ signal }) => api().get('/api/events/{eventId}', { params: { eventId }, signal, quiet: true }),
  })

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

/** Whether the site sends mail. */
export const mailQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: async ({ signal }) => (await api().get('/api/auth/settings', { signal, quiet: true })).mail,
})

/** The calls with which an organiser changes the settings of an event. */
export const createSettingsCalls = (eventId: string): SettingsCalls => ({
  updateEvent: async (body) =>
    (await api().patch('/api/events/{eventId}', { params: { eventId }, body })).event,
  addOrganiser: async (email) =>
    (await api().post('/api/events/{eventId}/organisers', { params: { eventId }, body: { email } })).event,
  removeOrganiser: async (userId) =>
    (await api().delete('/api/events/{eventId}/organisers/{userId}', { params: { eventId, userId } })).event,
  getCover: (signal) =>
    api().get('/api/events/{eventId}/cover', { params: { eventId }, signal, quiet: true }),
  createWall: async () => (await api().post('/api/events/{eventId}/wall', { params: { eventId } })).url,
  deleteWall: () => api().delete('/api/events/{eventId}/wall', { params: { eventId } }),
  listPage: listUploadsOf(eventId),
})

/** The calls with which an organiser shows, hides and deletes uploads of an event. */
export const createModerationCalls = (eventId: string): ModerationCalls => ({
  setVisibility: (uploadIds, visibility) =>
    api().post('/api/myevents/uploads/{eventId}/visibility', {
      params: { eventId },
      body: { uploadIds, visibility },
      quiet: true,
    }),
  deleteUpload: (uploadId, options) =>
    api().delete('/api/myevents/uploads/{eventId}/{uploadId}', {
      params: { eventId, uploadId },
      quiet: true,
      ...options,
    }),
})
