import type { ApiError } from '@confetti/api-client'

/** Why sending is paused. */
export type PauseReason = 'server-busy' | 'connection-lost'

export interface BackoffDeps {
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  now: () => number
  /** Returns 0 to 1. It spreads the retries of many guests. */
  random: () => number
  /** Called at the end of a pause. */
  onResume: () => void
}

const MAX_CONCURRENCY = 3
const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000
const RETRY_AFTER_JITTER_MS = 1_000

/**
 * Creates the backoff of a send queue: it decides how many files may be in flight. A retryable failure pauses all
 * files, for as long as the server asks, otherwise for exponentially longer times (full jitter, at most 30 s). After a
 * pause one file at a time is sent, until the server responds.
 */
export const createBackoff = ({ wait, now, random, onResume }: BackoffDeps) => {
  let pause: { endsAt: number; reason: PauseReason; controller: AbortController } | undefined
  let consecutiveFailures = 0

  const endPause = (): void => {
    pause?.controller.abort()
    pause = undefined
  }

  const pauseFor = async (ms: number, reason: PauseReason): Promise<void> => {
    const endsAt = now() + ms
    if (pause && pause.endsAt >= endsAt) return
    endPause()
    const newPause = { endsAt, reason, controller: new AbortController() }
    pause = newPause
    await wait(ms, newPause.controller.signal)
    if (pause !== newPause) return
    pause = undefined
    onResume()
  }

  return {
    getPauseReason: (): PauseReason | undefined => pause?.reason,
    getConcurrencyLimit: (): number => (pause ? 0 : consecutiveFailures > 0 ? 1 : MAX_CONCURRENCY),

    recordFailure: ({ status, retryAfterMs }: Pick<ApiError, 'status' | 'retryAfterMs'>): void => {
      // Files that were in flight when the pause began fail for the same cause and do not count again.
      if (!pause) consecutiveFailures += 1
      const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (consecutiveFailures - 1))
      const ms =
        retryAfterMs === undefined ? random() * backoffMs : retryAfterMs + random() * RETRY_AFTER_JITTER_MS
      void pauseFor(ms, status === 0 || status === 408 ? 'connection-lost' : 'server-busy')
    },

    /** Records that the server responded, with success or a final error. */
    recordResponse: (): void => {
      consecutiveFailures = 0
      if (pause?.reason === 'connection-lost') endPause()
    },

    /** Ends the pause when the connection may be back. A wait that the server asked for is kept. */
    resume: (): void => {
      if (pause?.reason === 'server-busy') return
      consecutiveFailures = 0
      endPause()
      onResume()
    },

    reset: (): void => {
      consecutiveFailures = 0
      endPause()
    },
  }
}

// With the backoff between them, a file survives an outage of about four minutes.
const MAX_ATTEMPTS_WITHOUT_PROGRESS = 20

interface Attempts {
  withoutProgress: number
  /** The most bytes that any attempt has sent. */
  furthestBytes: number
}

/**
 * Creates the limit of a send queue on attempts that make no progress. An attempt makes progress if it gets further than
 * all earlier ones of its file, or if another file has been sent in the meantime.
 */
export const createAttemptLimit = () => {
  const attemptsById = new Map<number, Attempts>()

  return {
    /** Records a failed attempt. Returns whether the file may be sent again. */
    recordFailure: (id: number, sentBytes: number): boolean => {
      const { withoutProgress, furthestBytes } = attemptsById.get(id) ?? {
        withoutProgress: 0,
        furthestBytes: 0,
      }
      const attempts =
        sentBytes > furthestBytes
          ? { withoutProgress: 0, furthestBytes: sentBytes }
          : { withoutProgress: withoutProgress + 1, furthestBytes }
      attemptsById.set(id, attempts)
      return attempts.withoutProgress < MAX_ATTEMPTS_WITHOUT_PROGRESS
    },

    /** Records that a file was sent, which is progress for all. */
    recordSent: (): void => attemptsById.clear(),

    /** Removes the attempts of a file. */
    reset: (id: number): void => void attemptsById.delete(id),
  }
}
