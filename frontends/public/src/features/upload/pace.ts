import type { ApiError } from '@confetti/api-client'

/** Why nothing sets out just now: the server asked to wait, or the connection is gone. */
export type Holdup = 'busy' | 'lost' | undefined

export interface PaceDeps {
  /** Resolves after so many milliseconds, or at once when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  now: () => number
  /** 0 to 1, so that a hundred guests do not come back in the same moment. */
  random: () => number
  /** Called when a pause is over. */
  goOn: () => void
}

const AT_ONCE = 3
const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000
const RETRY_AFTER_SPREAD_MS = 1_000

/**
 * How many may be under way. A passing failure holds all back: as long as the server asks, otherwise longer each time
 * (full jitter, 30 s at most). After that one goes ahead alone, until one arrives.
 */
export const makePace = ({ wait, now, random, goOn }: PaceDeps) => {
  let pause: { until: number; why: Holdup; end: AbortController } | undefined
  let failuresInARow = 0

  const endPause = (): void => {
    pause?.end.abort()
    pause = undefined
  }

  const pauseFor = async (ms: number, why: Holdup): Promise<void> => {
    const until = now() + ms
    if (pause && pause.until >= until) return
    endPause()
    const mine = { until, why, end: new AbortController() }
    pause = mine
    await wait(ms, mine.end.signal)
    if (pause !== mine) return
    pause = undefined
    goOn()
  }

  return {
    holdup: (): Holdup => pause?.why,
    atOnce: (): number => (pause ? 0 : failuresInARow > 0 ? 1 : AT_ONCE),

    failed: ({ status, retryAfterMs }: Pick<ApiError, 'status' | 'retryAfterMs'>): void => {
      // What fails while all are held back belongs to the same failure.
      if (!pause) failuresInARow += 1
      const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failuresInARow - 1))
      const ms =
        retryAfterMs === undefined ? random() * backoffMs : retryAfterMs + random() * RETRY_AFTER_SPREAD_MS
      void pauseFor(ms, status === 0 || status === 408 ? 'lost' : 'busy')
    },

    /** The server answered: the way is free. */
    answered: (): void => {
      failuresInARow = 0
      if (pause?.why === 'lost') endPause()
    },

    /** The connection seems to be back. Where the server asked to wait, that still holds. */
    wake: (): void => {
      if (pause?.why === 'busy') return
      failuresInARow = 0
      endPause()
      goOn()
    },

    reset: (): void => {
      failuresInARow = 0
      endPause()
    },
  }
}
