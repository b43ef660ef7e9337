import { buildUrl, noCacheHeaders } from './client.ts'
import { createNetworkError, toApiError } from './errors.ts'
import { guestTokenHeaders, saveGuestToken } from './guest-token.ts'
import { startLoading } from './loading.ts'
import type { Path, ResponseBody } from './routes.ts'

export interface SendFormOptions<P extends Path<'post'>> {
  baseUrl: string
  path: P
  form: FormData
  /** Called with the bytes sent so far and the size of the whole request in bytes. */
  onProgress: (sentBytes: number, totalBytes: number) => void
  /** The request fails if no progress is made for this long. */
  stallTimeoutMs: number
  /** How long to wait for the response after the last byte was sent; default `stallTimeoutMs`. */
  responseTimeoutMs?: number
  /** The `_ts` of the URL. Forms that share it need only one preflight, because browsers cache those by URL. */
  timestamp?: number
  signal: AbortSignal
}

/**
 * Posts a guest's form by `XMLHttpRequest`, because `fetch` does not report upload progress. Rejects with an
 * `ApiError`. If `signal` aborts, it closes the connection and rejects with the signal's reason.
 */
export const sendForm = <P extends Path<'post'>>({
  baseUrl,
  path,
  form,
  onProgress,
  stallTimeoutMs,
  responseTimeoutMs = stallTimeoutMs,
  timestamp,
  signal,
}: SendFormOptions<P>): Promise<ResponseBody<'post', P>> => {
  const stopLoading = startLoading(true)
  return new Promise<ResponseBody<'post', P>>((resolve, reject: (reason: Error) => void) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const restartTimeout = (timeoutMs: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(), timeoutMs)
    }
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort)

    request.open('POST', buildUrl(baseUrl, path, { timestamp }))
    for (const [name, value] of Object.entries({ ...noCacheHeaders, ...guestTokenHeaders() }))
      request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => {
      restartTimeout(stallTimeoutMs)
      onProgress(loaded, total)
    }
    request.upload.onload = () => restartTimeout(responseTimeoutMs)
    request.onprogress = () => restartTimeout(stallTimeoutMs)
    request.onload = () => {
      saveGuestToken((name) => request.getResponseHeader(name))
      if (request.status >= 200 && request.status < 300)
        try {
          resolve(JSON.parse(request.responseText) as ResponseBody<'post', P>)
        } catch {
          reject(createNetworkError())
        }
      else reject(toApiError(request.status, request.responseText, request.getResponseHeader('Retry-After')))
    }
    request.onerror = () => reject(createNetworkError())
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : createNetworkError())
    request.onloadend = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    restartTimeout(stallTimeoutMs)
    request.send(form)
  }).finally(stopLoading)
}
