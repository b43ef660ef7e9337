import { queryOptions } from '@tanstack/react-query'
import type { RequestInput } from '@confetti/api-client'
import type { Event, EventDraft } from '@confetti/contracts'
import { api } from '@confetti/session'

export const phases = ['active', 'upcoming', 'past'] as const
/** Whether an event is active, upcoming or past, as the server decides. */
export type Phase = (typeof phases)[number]

export const eventsQuery = (phase: Phase) =>
  queryOptions({
    queryKey: ['events', phase],
    queryFn: async ({ signal }) => (await api().get(`/api/events/${phase}`, { signal })).events,
  })

/** One event, with the fields that the signed-in user may see. */
export const eventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['event', eventId],
    queryFn: ({ signal }) => api().get('/api/events/{eventId}', { params: { eventId }, signal }),
  })

export const qrCodeQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['qr-code', eventId],
    queryFn: ({ signal }) => api().post('/api/events/{eventId}/qrcode', { params: { eventId }, signal }),
  })

/** The users to whom an event can be assigned. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => api().get('/api/users', { signal }),
})

export const createEvent = async (draft: EventDraft): Promise<Event> =>
  (await api().post('/api/events', { body: draft })).event

export type EventChange = NonNullable<RequestInput<'patch', '/api/events/{eventId}'>['body']>

export const updateEvent = async (eventId: string, change: EventChange): Promise<Event> =>
  (await api().patch('/api/events/{eventId}', { params: { eventId }, body: change })).event

export const addOrganiser = async (eventId: string, email: string): Promise<Event> =>
  (await api().post('/api/events/{eventId}/organisers', { params: { eventId }, body: { email } })).event

export const removeOrganiser = async (eventId: string, userId: string): Promise<Event> =>
  (await api().delete('/api/events/{eventId}/organisers/{userId}', { params: { eventId, userId } })).event

export const deleteEvent = (eventId: string) => api().delete('/api/events/{eventId}', { params: { eventId } })

export const createWall = async (eventId: string): Promise<string> =>
  (await api().post('/api/events/{eventId}/wall', { params: { eventId } })).url

export const deleteWall = (eventId: string) =>
  api().delete('/api/events/{eventId}/wall', { params: { eventId } })

export const getCover = (eventId: string, signal: AbortSignal) =>
  api().get('/api/events/{eventId}/cover', { params: { eventId }, signal, quiet: true })
