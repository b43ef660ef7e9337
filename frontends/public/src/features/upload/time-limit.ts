import { ApiError } from '@confetti/api-client'

/** Rejects with the signal's reason when it aborts. The work itself continues, because others may share it. */
export const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted()
  let abort = (): void => undefined
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject: (reason: Error) => void) => {
        abort = () => reject(signal.reason as Error)
        signal.addEventListener('abort', abort)
      }),
    ])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Calls `work` with a signal that aborts after `timeoutMs`, and rejects with `createError()` then. */
export const withTimeout = async <T>(
  timeoutMs: number,
  createError: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(createError()), timeoutMs)
  try {
    return await untilAborted(work(controller.signal), controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

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

/** Creates the error for a request that got no response. */
export const createNetworkError = (): ApiError =>
  new ApiError(0, { code: 'network_error', message: 'The connection was lost. Please try again.' })

export const isNetworkError = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 0
