import type { GuestEvent } from '@confetti/contracts'
import { api } from '@confetti/session'

/** Returns the event id of the page's query. */
export const getEventId = (query: URLSearchParams): string | undefined => query.get('eventId')?.trim()

/** Returns the guest's view of an event. */
export const fetchEvent = (eventId: string, signal: AbortSignal): Promise<GuestEvent> =>
  api().get('/api/events/{eventId}', { params: { eventId }, asGuest: true, quiet: true, signal })

/** Returns a link to the cover of an event. */
export const fetchCover = (eventId: string, signal: AbortSignal) =>
  api().get('/api/events/{eventId}/cover', { params: { eventId }, asGuest: true, quiet: true, signal })
