const REQUEST_TIMEOUT_MS = 20_000

/** Runs a request, whose signal aborts when `signal` does or after 20 seconds. */
export const withTimeout = async <T>(
  signal: AbortSignal,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  const timer = setTimeout(
    () => controller.abort(new Error('The server took too long to respond.')),
    REQUEST_TIMEOUT_MS,
  )
  try {
    return await request(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
