import { createNetworkError, toApiError } from './errors.ts'

/** Calls `fetch`. Rejects with an `ApiError` without a response, or with the reason of an aborted signal. */
export const fetchResponse = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, init).catch((error: unknown) => {
    init.signal?.throwIfAborted()
    throw error instanceof TypeError ? createNetworkError() : error
  })

/** Reads the text of a response. Rejects with an `ApiError` if its status is an error. */
export const readText = async (response: Response, signal: AbortSignal | undefined): Promise<string> => {
  const text = await response.text().catch(() => {
    signal?.throwIfAborted()
    throw createNetworkError()
  })
  if (!response.ok) throw toApiError(response.status, text, response.headers.get('Retry-After'))
  return text
}
