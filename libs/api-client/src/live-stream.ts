import type { LiveEvent } from '@confetti/contracts'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { parseRetryAfterMs } from './errors.ts'
import { wait } from './time-limit.ts'

/**
 * `open`: changes are reported as they happen. `closed`: the page asks on its own until the stream is open again. `ended`:
 * it will not be open again, because the event is gone or may not be followed.
 */
export type LiveStatus = 'open' | 'closed' | 'ended'

export interface LiveStreamOptions {
  baseUrl: string
  eventId: string
  /** The headers that prove who follows, read before each connection: `Authorization` or `X-Wall-Key`. */
  headers: () => Record<string, string>
  /** Called when the access token has expired. Resolves with whether `headers` has a new one. */
  onUnauthorized?: () => Promise<boolean>
  onEvent: (event: LiveEvent) => void
  /** Called when the status changes; `closed` at first. */
  onStatus: (status: LiveStatus) => void
  signal: AbortSignal
}

const DEFAULT_RETRY_MS = 2_000
const MAX_RETRY_MS = 60_000
const MAX_EVENT_CHARACTERS = 65_536
// The server sends a heartbeat every 20 s.
const SILENCE_TIMEOUT_MS = 45_000

const names: readonly string[] = [
  'upload.added',
  'upload.ready',
  'upload.hidden',
  'upload.removed',
  'event.changed',
  'counts',
  'reset',
] satisfies LiveEvent['name'][]

const toLiveEvent = ({ event: name = 'message', data }: EventSourceMessage): LiveEvent | undefined =>
  // A later version of the server may send others.
  names.includes(name) ? ({ name, data: JSON.parse(data) as unknown } as LiveEvent) : undefined

type Outcome =
  | { kind: 'closed'; wasOpen: boolean; retryAfterMs?: number | undefined }
  | { kind: 'unauthorized' | 'refused' }

const outcomeOf = ({ status, headers }: Response): Outcome => {
  if (status === 401) return { kind: 'unauthorized' }
  const isRetryable = status < 400 || status >= 500 || status === 408 || status === 429
  return isRetryable
    ? { kind: 'closed', wasOpen: false, retryAfterMs: parseRetryAfterMs(headers.get('Retry-After')) }
    : { kind: 'refused' }
}

const isEventStream = ({ ok, headers }: Response): boolean =>
  ok && headers.get('Content-Type')?.startsWith('text/event-stream') === true

/**
 * Follows an event until `signal` aborts. It connects again whenever the stream ends, with growing random delays, and
 * resumes after the last event: none is missed, or `reset` says so. `EventSource` cannot send the headers.
 */
export const openLiveStream = ({
  baseUrl,
  eventId,
  headers,
  onUnauthorized = () => Promise.resolve(false),
  onEvent,
  onStatus,
  signal,
}: LiveStreamOptions): void => {
  const url = new URL(`/api/live/${encodeURIComponent(eventId)}`, baseUrl).href
  let lastEventId: string | undefined
  let retryMs = DEFAULT_RETRY_MS
  let status: LiveStatus | undefined

  const report = (next: LiveStatus): void => {
    if (next === status || signal.aborted) return
    status = next
    onStatus(next)
  }
  const receive = (event: EventSourceMessage): void => {
    lastEventId = event.id ?? lastEventId
    const liveEvent = toLiveEvent(event)
    if (liveEvent && !signal.aborted) onEvent(liveEvent)
  }
  const readEvents = async (body: ReadableStream<Uint8Array>, onBytes: () => void): Promise<void> => {
    const parser = createParser({
      // What comes after a longer one makes `parser.feed` throw.
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: receive,
      onRetry: (milliseconds) => {
        retryMs = Math.min(milliseconds, MAX_RETRY_MS)
      },
    })
    const decoder = new TextDecoder()
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      parser.feed(decoder.decode(value, { stream: true }))
    }
  }
  /** Connects once; resolves when the stream has ended. */
  const connect = async (): Promise<Outcome> => {
    const attempt = new AbortController()
    const abort = (): void => attempt.abort()
    signal.addEventListener('abort', abort)
    let silence: ReturnType<typeof setTimeout> = setTimeout(abort, SILENCE_TIMEOUT_MS)
    let wasOpen = false
    try {
      const response = await fetch(url, {
        headers: {
          ...headers(),
          Accept: 'text/event-stream',
          ...(lastEventId && { 'Last-Event-ID': lastEventId }),
        },
        cache: 'no-store',
        signal: attempt.signal,
      })
      if (!isEventStream(response) || !response.body) return outcomeOf(response)
      wasOpen = true
      report('open')
      await readEvents(response.body, () => {
        clearTimeout(silence)
        silence = setTimeout(abort, SILENCE_TIMEOUT_MS)
      })
      return { kind: 'closed', wasOpen }
    } catch {
      // The connection was lost, silent, or never made.
      return { kind: 'closed', wasOpen }
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', abort)
      // Also of a response that was not read.
      abort()
    }
  }
  const keepConnected = async (): Promise<void> => {
    let failures = 0
    let isRefreshed = false
    while (!signal.aborted) {
      const outcome = await connect()
      const isRefreshable: boolean = outcome.kind === 'unauthorized' && !isRefreshed
      if (isRefreshable) report('closed')
      isRefreshed = isRefreshable && (await onUnauthorized().catch(() => false))
      if (isRefreshed) continue
      if (outcome.kind !== 'closed') {
        report('ended')
        return
      }
      report('closed')
      failures = outcome.wasOpen ? 0 : failures + 1
      const delayMs = Math.min(retryMs * 2 ** failures, MAX_RETRY_MS) * (0.5 + Math.random())
      await wait(Math.max(delayMs, outcome.retryAfterMs ?? 0), signal)
    }
  }
  report('closed')
  void keepConnected()
}
