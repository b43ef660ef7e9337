import { buildUrl, noCacheHeaders } from './client.ts'
import { createNetworkError, toApiError } from './errors.ts'
import { passHeaders, recordRefusal } from './event-passes.ts'
import { parseBody } from './fetch-response.ts'
import { startLoading } from './loading.ts'
import type { Path, ResponseBody } from './routes.ts'
import { guestTokenHeaders, saveGuestToken } from './token-storage.ts'

interface SendOptions {
  /** Called with the bytes sent so far and the size of the whole request in bytes. */
  onProgress: (sentBytes: number, totalBytes: number) => void
  /** The request fails if no progress is made for this long. */
  stallTimeoutMs: number
  /** How long to wait for the response after the last byte was sent; default `stallTimeoutMs`. */
  responseTimeoutMs?: number
  signal: AbortSignal
}

interface BodyOptions extends SendOptions {
  method: 'PUT' | 'POST'
  url: string
  headers: Readonly<Record<string, string>>
  body: Blob | FormData
}

/**
 * Sends a body by `XMLHttpRequest`, because `fetch` does not report upload progress. Resolves when there is a response,
 * whatever its status. Rejects with an `ApiError` without one. If `signal` aborts, it closes the connection and rejects
 * with the signal's reason.
 */
export const sendBody = ({
  method,
  url,
  headers,
  body,
  onProgress,
  stallTimeoutMs,
  responseTimeoutMs = stallTimeoutMs,
  signal,
}: BodyOptions): Promise<XMLHttpRequest> =>
  new Promise((resolve, reject: (reason: Error) => void) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const restartTimeout = (timeoutMs: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(), timeoutMs)
    }
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort)

    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => {
      restartTimeout(stallTimeoutMs)
      onProgress(loaded, total)
    }
    request.upload.onload = () => restartTimeout(responseTimeoutMs)
    request.onprogress = () => restartTimeout(stallTimeoutMs)
    request.onload = () => resolve(request)
    request.onerror = () => reject(createNetworkError())
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : createNetworkError())
    request.onloadend = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    restartTimeout(stallTimeoutMs)
    request.send(body)
  })

interface FormOptions<P extends Path<'post'>> extends SendOptions {
  baseUrl: string
  path: P
  form: FormData
  /** The `_ts` of the URL. Forms that share it need only one preflight, because browsers cache those by URL. */
  timestamp?: number
}

/** Posts a guest's form. Rejects with an `ApiError`, or with the reason of an aborted signal. */
export const sendForm = async <P extends Path<'post'>>({
  baseUrl,
  path,
  form,
  timestamp,
  ...options
}: FormOptions<P>): Promise<ResponseBody<'post', P>> => {
  const stopLoading = startLoading(true)
  const eventId = form.get('eventId') as string
  const pass = passHeaders(eventId)
  try {
    const headers = { ...noCacheHeaders, ...guestTokenHeaders(), ...pass }
    const url = buildUrl(baseUrl, path, { timestamp })
    const request = await sendBody({ method: 'POST', url, headers, body: form, ...options })
    const { status, responseText } = request
    saveGuestToken((name) => request.getResponseHeader(name))
    if (status < 200 || status >= 300)
      throw toApiError(status, responseText, request.getResponseHeader('Retry-After'))
    return parseBody(responseText) as ResponseBody<'post', P>
  } catch (error) {
    recordRefusal(eventId, error, pass)
    throw error
  } finally {
    stopLoading()
  }
}
