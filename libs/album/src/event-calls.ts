import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import type { RequestInput } from '@confetti/api-client'
import type { ArchiveOptions, Event, OrganiserInvitation, UploadVisibility } from '@confetti/contracts'
import { api } from '@confetti/session'
import type { ListPage } from './load-uploads.ts'

// An event as those see it who manage it: admins, and its organisers.

export type Manager = 'admin' | 'organiser'

const paths = {
  admin: {
    uploads: '/api/admin/uploads/event/{eventId}',
    archives: '/api/admin/uploads/event/{eventId}/archives',
    visibility: '/api/admin/uploads/event/{eventId}/visibility',
    credits: '/api/admin/uploads/event/{eventId}/credits',
    consents: '/api/admin/uploads/event/{eventId}/consents.csv',
  },
  organiser: {
    uploads: '/api/myevents/uploads/{eventId}',
    archives: '/api/myevents/uploads/{eventId}/archives',
    visibility: '/api/myevents/uploads/{eventId}/visibility',
    credits: '/api/myevents/uploads/{eventId}/credits',
    consents: '/api/myevents/uploads/{eventId}/consents.csv',
  },
} as const

export type EventChange = NonNullable<RequestInput<'patch', '/api/events/{eventId}'>['body']>

interface Options {
  signal: AbortSignal
  quiet: boolean
}

/** The calls of the API about one event and its uploads, in the caller's role. */
export const createEventCalls = (eventId: string, manager: Manager) => {
  const params = { eventId }
  const { uploads, archives, visibility: visibilities, credits, consents } = paths[manager]
  const listPage: ListPage = (query, options) => api().get(uploads, { params, query, ...options })
  return {
    updateEvent: async (body: EventChange): Promise<Event> =>
      (await api().patch('/api/events/{eventId}', { params, body })).event,
    /** Resolves with the invitation, and with its link where the site sends no mail. */
    inviteOrganiser: async (email: string): Promise<OrganiserInvitation & { url?: string | undefined }> =>
      (await api().post('/api/events/{eventId}/organisers', { params, body: { email } })).invitation,
    withdrawInvitation: async (invitationId: string): Promise<Event> =>
      (
        await api().delete('/api/events/{eventId}/organiser-invitations/{invitationId}', {
          params: { eventId, invitationId },
        })
      ).event,
    removeOrganiser: async (userId: string): Promise<Event> =>
      (await api().delete('/api/events/{eventId}/organisers/{userId}', { params: { eventId, userId } }))
        .event,
    getCover: (signal: AbortSignal) =>
      api().get('/api/events/{eventId}/cover', { params, signal, quiet: true }),
    /** Resolves with the address of the live wall. Earlier ones end. */
    createWall: async (): Promise<string> => (await api().post('/api/events/{eventId}/wall', { params })).url,
    deleteWall: (): Promise<unknown> => api().delete('/api/events/{eventId}/wall', { params }),
    listPage,
    /** What was agreed to with each upload, as CSV. */
    loadConsents: (): Promise<string> => api().get(consents, { params }),
    createArchive: (body: ArchiveOptions, options: Options) =>
      api().post(archives, { params, body, ...options }),
    setVisibility: (uploadIds: string[], visibility: UploadVisibility): Promise<unknown> =>
      api().post(visibilities, { params, body: { uploadIds, visibility }, quiet: true }),
    /** Gives all uploads that have one name another. Resolves with how many have got it. */
    renameGuest: async (from: string, to: string): Promise<number> =>
      (await api().patch(credits, { params, body: { from, to }, quiet: true })).renamed,
    /** `keepalive`: the page is being left, which the request has to outlive. */
    deleteUpload: (
      uploadId: string,
      options: { keepalive?: boolean; quiet?: boolean } = {},
    ): Promise<unknown> =>
      manager === 'admin'
        ? api().delete('/api/admin/uploads/{uploadId}', { params: { uploadId }, quiet: true, ...options })
        : api().delete('/api/myevents/uploads/{eventId}/{uploadId}', {
            params: { eventId, uploadId },
            quiet: true,
            ...options,
          }),
  }
}
export type EventCalls = ReturnType<typeof createEventCalls>

/** One event. Only those who manage it get all of its fields. */
export const eventQuery = (eventId: string, { quiet = false } = {}) =>
  queryOptions({
    queryKey: ['event', eventId],
    queryFn: ({ signal }) => api().get('/api/events/{eventId}', { params: { eventId }, signal, quiet }),
  })

/** The QR code of an event's upload page, and its link. */
export const qrCodeQuery = (eventId: string, { quiet = false } = {}) =>
  queryOptions({
    queryKey: ['qr-code', eventId],
    queryFn: ({ signal }) =>
      api().post('/api/events/{eventId}/qrcode', { params: { eventId }, signal, quiet }),
  })

/** Shows an event that has been changed on all pages. */
export const storeEvent = (client: QueryClient, event: Event): void => {
  // As the API answers: at the top level, and again under `event`.
  client.setQueryData(eventQuery(event._id).queryKey, { ...event, event })
  void client.invalidateQueries({ queryKey: ['events'] })
}

/** Shows an event that has been changed, or a change of the latest one, on all pages. `event` is one that is shown. */
export const changeStoredEvent = (
  client: QueryClient,
  event: Event,
  change: Event | ((latest: Event) => Event),
): void => {
  const stored = client.getQueryData(eventQuery(event._id).queryKey)?.event
  const latest = stored && 'uploadUrl' in stored ? stored : event
  storeEvent(client, typeof change === 'function' ? change(latest) : change)
}

const mailQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: async ({ signal }) => (await api().get('/api/auth/settings', { signal, quiet: true })).mail,
})

/** Whether the site sends mail. Undefined until it has been loaded, and if that fails. */
export const useMailSetting = (): 'on' | 'off' | undefined => useQuery(mailQuery).data
