import { ApiError } from '@confetti/api-client'

/** What a page tells the loop. */
export interface FreshList {
  /** Something has changed: the list is refreshed soon, unless the server fails. */
  wake: () => void
  /** The server answers again, as another request shows: the list is refreshed at once. */
  recover: () => void
}

interface Options {
  /** Loads what has changed. */
  refresh: (signal: AbortSignal) => Promise<unknown>
  /** The time until the next refresh; undefined if none is needed any more. */
  getIntervalMs: () => number | undefined
  /** The least time between two refreshes, however often `wake` is called. */
  minIntervalMs: number
  /** How long a refresh after `wake` waits for further changes, so that one request asks for all of them. */
  settleMs?: number
  /** After failures in a row the interval doubles up to this. */
  maxIntervalMs: number
  /** The interval after 404, if it is another one. */
  goneIntervalMs?: number
  /** Whether the list is refreshed while the page is hidden. */
  isRefreshedHidden?: boolean
  signal: AbortSignal
}

/** Resolves when the page is visible, or when the signal aborts. */
const untilPageVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return
      document.removeEventListener('visibilitychange', check)
      signal.removeEventListener('abort', check)
      resolve()
    }
    document.addEventListener('visibilitychange', check)
    signal.addEventListener('abort', check)
    check()
  })

/** Random by half, so that many pages that lost the same server do not ask it again at the same moment. */
const randomJitter = (): number => 0.5 + Math.random()

/**
 * Keeps a list fresh: refreshes it at once, and then after each interval, or sooner when `wake` reports a change. After a
 * failure it waits longer, at least as long as `Retry-After` says. A hidden page does not ask until it is visible again.
 * Ends when the signal aborts.
 */
export const keepFresh = ({
  refresh,
  getIntervalMs,
  minIntervalMs,
  settleMs = 0,
  maxIntervalMs,
  goneIntervalMs,
  isRefreshedHidden = false,
  signal,
}: Options): FreshList => {
  let hasChanged = false
  let canWake = false
  let isBackingOff = false
  let endPause = (): void => undefined

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
      if (signal.aborted) endPause()
    })
  const isEnded = (): boolean => signal.aborted
  const isDue = (): boolean => hasChanged || signal.aborted

  const waitUntilDue = async (): Promise<void> => {
    const startedAt = Date.now()
    await pause(minIntervalMs)
    canWake = true
    // The interval may become longer meanwhile.
    const getLeftMs = (): number => startedAt + (getIntervalMs() ?? 0) - Date.now()
    // Changes from before have settled.
    const hasChangedBefore = hasChanged
    while (!isDue() && getLeftMs() > 0) await pause(getLeftMs())
    canWake = false
    if (hasChanged && !hasChangedBefore) await pause(settleMs)
  }
  const getBackoffMs = (error: unknown, intervalMs: number, failures: number): number => {
    const { status, retryAfterMs = 0 } = error instanceof ApiError ? error : { status: 0 }
    if (status === 404 && goneIntervalMs !== undefined) return goneIntervalMs
    return Math.max(retryAfterMs, randomJitter() * Math.min(intervalMs * 2 ** failures, maxIntervalMs))
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!isEnded()) {
      let failure: unknown
      hasChanged = false
      try {
        await refresh(signal)
        failures = 0
      } catch (error) {
        failure = error
        failures += 1
      }
      const intervalMs = getIntervalMs()
      if (intervalMs === undefined || isEnded()) return
      // A server that fails is not asked sooner because something changes.
      if (failures > 0) {
        isBackingOff = true
        await pause(getBackoffMs(failure, intervalMs, failures))
        isBackingOff = false
      } else await waitUntilDue()
      if (!isRefreshedHidden) await untilPageVisible(signal)
    }
  }

  signal.addEventListener('abort', () => endPause())
  void run()
  return {
    wake: () => {
      hasChanged = true
      if (canWake) endPause()
    },
    recover: () => {
      if (isBackingOff) endPause()
    },
  }
}
