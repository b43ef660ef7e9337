import { ApiError, withTimeout } from '@confetti/api-client'

const REQUEST_TIMEOUT_MS = 20_000

/** Runs a request, whose signal aborts when `signal` does, if there is one, or after `timeoutMs`. */
export const requestWithTimeout = <T>(
  signal: AbortSignal | undefined,
  request: (signal: AbortSignal) => Promise<T>,
  timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<T> =>
  withTimeout(
    timeoutMs,
    () => new ApiError(0, { code: 'timeout', message: 'The server took too long to respond.' }),
    request,
    signal,
  )
