/** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
export const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      // A page can wait thousands of times with the same signal.
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })

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

/**
 * Calls `work` with a signal that aborts after `timeoutMs`, and rejects with `createError()` then. It also aborts when
 * `outerSignal` does.
 */
export const withTimeout = async <T>(
  timeoutMs: number,
  createError: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
  outerSignal?: AbortSignal,
): Promise<T> => {
  const controller = new AbortController()
  const abort = (): void => controller.abort(outerSignal?.reason)
  if (outerSignal?.aborted) abort()
  outerSignal?.addEventListener('abort', abort)
  const timer = setTimeout(() => controller.abort(createError()), timeoutMs)
  try {
    return await untilAborted(work(controller.signal), controller.signal)
  } finally {
    clearTimeout(timer)
    outerSignal?.removeEventListener('abort', abort)
  }
}
