import { ApiError } from '@confetti/api-client'
import type { GuestEvent } from '@confetti/contracts'
import { PageError } from '@confetti/ui/failure-text'
import { getText } from '../../texts.ts'
import { fetchEvent } from './event-api.ts'
import { wait } from './wait.ts'

export type LoadedEvent =
  { status: 'success'; event: GuestEvent } | { status: 'not-found' } | { status: 'error'; error: unknown }

interface Options {
  /** Ends the loading. */
  controller: AbortController
  /** Called when the server is busy, before the event is requested again. */
  onServerBusy: () => void
}

const REQUEST_TIMEOUT_MS = 20_000
/** How long a busy server is asked again. */
const MAX_BUSY_MS = 120_000
const FIRST_RETRY_MS = 2_000
const MAX_RETRY_MS = 30_000
// Spreads the requests of guests who scan the QR code at the same time.
const JITTER_MS = 1_000

const isBusy = (error: unknown): error is ApiError =>
  error instanceof ApiError && [429, 502, 503, 504].includes(error.status)

const fetchWithTimeout = async (eventId: string, controller: AbortController): Promise<GuestEvent> => {
  const timer = setTimeout(
    () => controller.abort(new PageError(() => getText('event.loadFailed.timeout'))),
    REQUEST_TIMEOUT_MS,
  )
  try {
    return await fetchEvent(eventId, controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Loads an event. While the server is busy, it waits as long as the server asks, and requests the event again. */
export const loadEvent = async (
  eventId: string,
  { controller, onServerBusy }: Options,
): Promise<LoadedEvent> => {
  const endsAt = Date.now() + MAX_BUSY_MS
  for (let backoffMs = FIRST_RETRY_MS; ; backoffMs = Math.min(2 * backoffMs, MAX_RETRY_MS))
    try {
      return { status: 'success', event: await fetchWithTimeout(eventId, controller) }
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return { status: 'not-found' }
      const waitMs = isBusy(error) ? (error.retryAfterMs ?? backoffMs) + Math.random() * JITTER_MS : Infinity
      if (Date.now() + waitMs > endsAt) return { status: 'error', error }
      onServerBusy()
      await wait(waitMs, controller.signal)
    }
}
