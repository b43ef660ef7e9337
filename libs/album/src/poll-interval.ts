import { ApiError } from '@confetti/api-client'

const POLL_INTERVAL_MS = 4_000
const MAX_INTERVAL_MS = 60_000

const randomJitter = (): number => 0.8 + 0.4 * Math.random()

/**
 * The time between polls: doubled after each failure in a row up to a minute, and at least what the server's
 * `Retry-After` says. Random by 20 %, so that many open pages do not poll at the same moment.
 */
export const createPollInterval = () => {
  let failures = 0
  let retryAfterMs = 0
  let jitter = randomJitter()
  return {
    currentMs: (): number =>
      Math.max(retryAfterMs, jitter * Math.min(POLL_INTERVAL_MS * 2 ** failures, MAX_INTERVAL_MS)),
    reset: (): void => {
      failures = 0
      retryAfterMs = 0
      jitter = randomJitter()
    },
    backOff: (error: unknown): void => {
      failures += 1
      retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
      jitter = randomJitter()
    },
  }
}
