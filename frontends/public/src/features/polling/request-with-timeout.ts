import { ApiError } from '@confetti/api-client'

const REQUEST_TIMEOUT_MS = 20_000

/** Runs a request, whose signal aborts when `signal` does or after `timeoutMs`. */
export const requestWithTimeout = async <T>(
  signal: AbortSignal,
  request: (signal: AbortSignal) => Promise<T>,
  timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<T> => {
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  const timer = setTimeout(
    () =>
      controller.abort(new ApiError(0, { code: 'timeout', message: 'The server took too long to respond.' })),
    timeoutMs,
  )
  try {
    return await request(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
