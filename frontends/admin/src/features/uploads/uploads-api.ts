import { queryOptions } from '@tanstack/react-query'
import type { CreateArchive } from '@confetti/album/archive-download'
import type { ModerationCalls } from '@confetti/album/moderation'
import type { ListPage } from '@confetti/album/use-uploads'
import { api } from '@confetti/session'

/** Lists the uploads of an event as an admin, page by page. */
export const listUploadsOf =
  (eventId: string): ListPage =>
  (query, options) =>
    api().get('/api/admin/uploads/event/{eventId}', { params: { eventId }, query, ...options })

/** Creates an archive of the uploads of an event as an admin. */
export const createArchiveOf =
  (eventId: string): CreateArchive =>
  (body, options) =>
    api().post('/api/admin/uploads/event/{eventId}/archives', { params: { eventId }, body, ...options })

/** The event of a list of uploads, loaded without the loading overlay: the list does not wait for it. */
export const uploadsEventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['uploads-event', eventId],
    queryFn: ({ signal }) => api().get('/api/events/{eventId}', { params: { eventId }, signal, quiet: true }),
  })

export const deleteUpload = (uploadId: string) =>
  api().delete('/api/admin/uploads/{uploadId}', { params: { uploadId } })

/** The calls with which an admin shows, hides and deletes uploads of an event. */
export const createModerationCalls = (eventId: string): ModerationCalls => ({
  setVisibility: (uploadIds, visibility) =>
    api().post('/api/admin/uploads/event/{eventId}/visibility', {
      params: { eventId },
      body: { uploadIds, visibility },
      quiet: true,
    }),
  deleteUpload: (uploadId, options) =>
    api().delete('/api/admin/uploads/{uploadId}', { params: { uploadId }, quiet: true, ...options }),
})

/** How many files of how many guests an event has, and their bytes. */
export const uploadTotalQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['upload-total', eventId],
    queryFn: async ({ signal }) => {
      const { total } = await listUploadsOf(eventId)({ limit: 1 }, { signal, quiet: true })
      if (!total) throw new Error('The list of uploads has no total.')
      return total
    },
  })
