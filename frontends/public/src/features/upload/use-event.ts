import { useCallback, useEffect, useMemo, useState } from 'react'
import { ApiError, isNotFound, wait, withTimeout } from '@confetti/api-client'
import type { GuestEvent } from '@confetti/contracts'
import { suggestLocale, useLocale, type Locale } from '@confetti/i18n'
import { api } from '@confetti/session'
import { PageError } from '@confetti/ui/failure-text'
import { getText } from '../../texts.ts'
import { dropLinkKey } from '../pin/link-key.ts'

/** Returns the event id of the page's query. */
export const getEventId = (query: URLSearchParams): string | undefined => query.get('eventId')?.trim()

/** Returns the guest's view of an event. */
export const fetchEvent = (eventId: string, signal: AbortSignal): Promise<GuestEvent> =>
  api().get('/api/events/{eventId}', { params: { eventId }, asGuest: true, quiet: true, signal })

/** Returns a link to the cover of an event. */
export const fetchCover = (eventId: string, signal: AbortSignal) =>
  api().get('/api/events/{eventId}/cover', { params: { eventId }, asGuest: true, quiet: true, signal })

export const getUploadPath = (eventId: string): string => `/upload?eventId=${encodeURIComponent(eventId)}`
export const getGalleryPath = (eventId: string): string => `/gallery?eventId=${encodeURIComponent(eventId)}`

export const getPrivacyPath = (eventId: string): string => `/privacy?eventId=${encodeURIComponent(eventId)}`

/** What an event says about when guests see what others have sent. */
export type GallerySettings = Partial<Pick<GuestEvent, 'gallery' | 'revealAt' | 'timeZone' | 'moderation'>>

/** Whether guests see the gallery now. */
export const isGalleryOpen = ({ gallery, revealAt }: GallerySettings): boolean =>
  gallery === 'on' && (revealAt === undefined || Date.parse(revealAt) <= Date.now())

/** The event with its name and welcome text in this language, where its organisers have translated them. */
const translateEvent = (event: GuestEvent, locale: Locale): GuestEvent => ({
  ...event,
  ...event.translations?.[locale],
})

type LoadedEvent =
  { status: 'success'; event: GuestEvent } | { status: 'not-found' } | { status: 'error'; error: unknown }

interface Options {
  signal: AbortSignal
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

const fetchWithTimeout = (eventId: string, signal: AbortSignal): Promise<GuestEvent> =>
  withTimeout(
    REQUEST_TIMEOUT_MS,
    () => new PageError(() => getText('event.loadFailed.timeout')),
    (timedSignal) => fetchEvent(eventId, timedSignal),
    signal,
  )

/** Loads an event. While the server is busy, it waits as long as the server asks, and requests the event again. */
const loadEvent = async (eventId: string, { signal, onServerBusy }: Options): Promise<LoadedEvent> => {
  const endsAt = Date.now() + MAX_BUSY_MS
  for (let backoffMs = FIRST_RETRY_MS; ; backoffMs = Math.min(2 * backoffMs, MAX_RETRY_MS))
    try {
      const event = await fetchWithTimeout(eventId, signal)
      // The guest has a pass by now, or needs none.
      dropLinkKey()
      return { status: 'success', event }
    } catch (error) {
      if (isNotFound(error)) return { status: 'not-found' }
      const waitMs = isBusy(error) ? (error.retryAfterMs ?? backoffMs) + Math.random() * JITTER_MS : Infinity
      if (Date.now() + waitMs > endsAt) return { status: 'error', error }
      onServerBusy()
      await wait(waitMs, signal)
    }
}

export type EventState = { status: 'pending'; isServerBusy: boolean } | LoadedEvent

const PENDING: EventState = { status: 'pending', isServerBusy: false }

/** Loads the event in the page's language. After a failure it loads it again when `retry` is called or the device is back online. */
export const useEvent = (eventId: string): { state: EventState; retry: () => void } => {
  const [state, setState] = useState<EventState>(PENDING)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const controller = new AbortController()
    let unmounted = false
    const update = (nextState: EventState): void => {
      if (!unmounted) setState(nextState)
    }
    const onServerBusy = (): void => update({ status: 'pending', isServerBusy: true })
    void loadEvent(eventId, { signal: controller.signal, onServerBusy }).then(update)
    return () => {
      unmounted = true
      controller.abort()
    }
  }, [eventId, attempt])

  const retry = useCallback(() => {
    setState(PENDING)
    setAttempt((previous) => previous + 1)
  }, [])

  const failed = state.status === 'error'
  useEffect(() => {
    if (!failed) return
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [failed, retry])

  const language = state.status === 'success' ? state.event.language : undefined
  useEffect(() => {
    // Without its texts, the page stays as it is.
    if (language) suggestLocale(language).catch(() => undefined)
  }, [language])

  const locale = useLocale()
  const translated = useMemo(
    () => (state.status === 'success' ? { ...state, event: translateEvent(state.event, locale) } : state),
    [state, locale],
  )
  return { state: translated, retry }
}
