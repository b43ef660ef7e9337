import { setTimeout as sleep } from 'node:timers/promises'

import { ApiError, createNetworkError } from '../../libs/api-client/src/errors.ts'
import { fetchResponse, readText } from '../../libs/api-client/src/fetch-response.ts'
import { withTimeout } from '../../libs/api-client/src/time-limit.ts'

/** Longer than a roll of all services, or a restart of a backend, keeps one call from succeeding. */
const RETRY_TIMEOUT_MS = 300_000
const RETRY_INTERVAL_MS = 1_000

const REQUEST_TIMEOUT_MS = 30_000

/**
 * Sends a request, and reads the response by `read`. Rejects with an `ApiError` for an error status, after `timeoutMs`,
 * and if there is no response that can be read, or with the reason of the aborted signal.
 */
export const send = <T>(
  url: string | URL,
  { timeoutMs = REQUEST_TIMEOUT_MS, ...init }: RequestInit & { timeoutMs?: number },
  read: (response: Response) => Promise<T>,
): Promise<T> =>
  withTimeout(timeoutMs, createNetworkError, async (timeoutSignal) => {
    const signal = init.signal ? AbortSignal.any([init.signal, timeoutSignal]) : timeoutSignal
    const response = await fetchResponse(String(url), { ...init, signal })
    if (!response.ok) await readText(response, signal)
    return read(response).catch(() => {
      signal.throwIfAborted()
      throw createNetworkError()
    })
  })

/**
 * Calls again as the pages do, after the time in `Retry-After`, while the installation does not respond or is busy.
 * Rejects with the last error after five minutes.
 */
export const retryUntilAvailable = async <T>(call: () => Promise<T>): Promise<T> => {
  const deadline = Date.now() + RETRY_TIMEOUT_MS
  for (;;)
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError && error.isRetryable) || Date.now() > deadline) throw error
      await sleep(error.retryAfterMs ?? RETRY_INTERVAL_MS)
    }
}
