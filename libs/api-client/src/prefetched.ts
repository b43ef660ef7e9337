interface PrefetchedRequest {
  response: Promise<Response>
  controller: AbortController
}

declare global {
  interface Window {
    /** Requests that the inline script of the shell's index.html has sent, by URL. */
    prefetched?: Record<string, PrefetchedRequest>
  }
}

/** Returns the request that the inline script has sent to `url`, the first time. */
export const takePrefetched = (url: string): PrefetchedRequest | undefined => {
  const request = window.prefetched?.[url]
  delete window.prefetched?.[url]
  return request
}

/**
 * Resolves with the response to a request that the inline script has sent, or undefined if there is none or it failed.
 * Rejects with the reason of an aborted signal.
 */
export const takePrefetchedResponse = async (
  url: string,
  signal: AbortSignal | undefined,
): Promise<Response | undefined> => {
  const request = takePrefetched(url)
  signal?.addEventListener('abort', () => request?.controller.abort(signal.reason))
  return request?.response.catch(() => {
    signal?.throwIfAborted()
    return undefined
  })
}
