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

/** Parses the body of a response. Rejects what is not from the API: a captive portal answers with 200 and an HTML page. */
export const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw createNetworkError()
  }
}

/**
 * Checks a download link by a request for the first byte of the file. Rejects with an `ApiError` if the server refuses
 * the download.
 */
export const checkDownload = async (url: string, signal: AbortSignal): Promise<void> => {
  const response = await fetchResponse(url, {
    headers: { Range: 'bytes=0-0' },
    cache: 'no-store',
    signal,
  })
  // A server that ignores the range sends the whole file.
  if (response.status === 200) await response.body?.cancel()
  else await readText(response, signal)
}
