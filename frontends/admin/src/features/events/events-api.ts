import type { Event, User } from '@confetti/contracts'
import { api } from '@confetti/session'

export const phases = ['active', 'upcoming', 'past'] as const
/** Where an event stands; the server decides which is where. */
export type Phase = (typeof phases)[number]

export const fetchEvents = async (phase: Phase, signal: AbortSignal): Promise<Event[]> =>
  (await api().get(`/api/events/${phase}`, { signal })).events

/** What is shown of an event; who made the call decides how much the server tells. */
export const fetchEvent = (eventId: string, signal: AbortSignal) =>
  api().get('/api/events/{eventId}', { params: { eventId }, signal })

export const fetchQrCode = (eventId: string, signal: AbortSignal) =>
  api().post('/api/events/{eventId}/qrcode', { params: { eventId }, signal })

/** Those whom an event can be assigned to. */
export const fetchUsers = (signal: AbortSignal): Promise<User[]> => api().get('/api/users', { signal })

export interface EventDraft {
  name: string
  description: string
  /** Calendar days, yyyy-MM-dd. */
  startDate: string
  endDate: string
  /** The id of the user whose event it is. */
  eventFor: string
}

export const createEvent = async (draft: EventDraft): Promise<Event> =>
  (await api().post('/api/events', { body: draft })).event
