import type { GuestEvent } from '@confetti/contracts'
import { api } from '@confetti/session'

const requestEvent = (eventId: string, signal: AbortSignal): Promise<GuestEvent> =>
  api().get('/api/events/{eventId}', { params: { eventId }, asGuest: true, quiet: true, signal })

let prefetched: { eventId: string; controller: AbortController; event: Promise<GuestEvent> } | undefined

/** Returns the event id of the page's query. */
export const getEventId = (query: URLSearchParams): string | undefined => query.get('eventId')?.trim()

/**
 * Requests the event while the page's code is still loading, which saves two round trips on a slow network. Returns its
 * id.
 */
export const prefetchEvent = (): string | undefined => {
  const eventId = getEventId(new URLSearchParams(location.search))
  if (!eventId) return undefined
  const controller = new AbortController()
  const event = requestEvent(eventId, controller.signal)
  // `fetchEvent` returns the promise and so reports the failure.
  event.catch(() => undefined)
  prefetched = { eventId, controller, event }
  return eventId
}

/** Returns the guest's view of an event: the prefetched response the first time, otherwise a new request. */
export const fetchEvent = (eventId: string, signal: AbortSignal): Promise<GuestEvent> => {
  const request = prefetched
  prefetched = undefined
  if (request?.eventId !== eventId) return requestEvent(eventId, signal)
  signal.addEventListener('abort', () => request.controller.abort(signal.reason))
  return request.event
}

/** Returns a link to the cover of an event. */
export const fetchCover = (eventId: string, signal: AbortSignal) =>
  api().get('/api/events/{eventId}/cover', { params: { eventId }, asGuest: true, quiet: true, signal })
