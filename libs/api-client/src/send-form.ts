import { addressOf, uncached } from './client.ts'
import { errorFrom, noAnswer } from './errors.ts'
import { guestHeaders, keepGuestToken } from './guest-token.ts'
import { startLoading } from './loading.ts'
import type { Answer, Path } from './routes.ts'

export interface FormToSend<P extends Path<'post'>> {
  baseUrl: string
  path: P
  form: FormData
  /** How much has left the device, in bytes of the whole request. */
  onProgress: (sent: number, total: number) => void
  /** Without progress for this long, the connection counts as lost; milliseconds. */
  stallLimitMs: number
  /** How long the answer may take once all has left the device; milliseconds, `stallLimitMs` where not given. */
  answerLimitMs?: number
  /** The `_ts` of the address, where many forms should share one: browsers keep a preflight by address. */
  stamp?: number
  signal: AbortSignal
}

/**
 * Posts a guest's form, with progress, which `fetch` does not tell. Rejects with an `ApiError`; aborting the signal
 * rejects with its reason and frees the connection.
 */
export const sendForm = <P extends Path<'post'>>({
  baseUrl,
  path,
  form,
  onProgress,
  stallLimitMs,
  answerLimitMs = stallLimitMs,
  stamp,
  signal,
}: FormToSend<P>): Promise<Answer<'post', P>> => {
  const done = startLoading(true)
  return new Promise<Answer<'post', P>>((resolve, reject: (reason: Error) => void) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    let stall: ReturnType<typeof setTimeout> | undefined
    const giveUpAfter = (limitMs: number): void => {
      clearTimeout(stall)
      stall = setTimeout(() => request.abort(), limitMs)
    }
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort)

    request.open('POST', addressOf(baseUrl, path, { stamp }))
    for (const [name, value] of Object.entries({ ...uncached, ...guestHeaders() }))
      request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => {
      giveUpAfter(stallLimitMs)
      onProgress(loaded, total)
    }
    request.upload.onload = () => giveUpAfter(answerLimitMs)
    request.onprogress = () => giveUpAfter(stallLimitMs)
    request.onload = () => {
      keepGuestToken((name) => request.getResponseHeader(name))
      if (request.status >= 200 && request.status < 300)
        try {
          resolve(JSON.parse(request.responseText) as Answer<'post', P>)
        } catch {
          reject(noAnswer())
        }
      else reject(errorFrom(request.status, request.responseText, request.getResponseHeader('Retry-After')))
    }
    request.onerror = () => reject(noAnswer())
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : noAnswer())
    request.onloadend = () => {
      clearTimeout(stall)
      signal.removeEventListener('abort', abort)
    }
    giveUpAfter(stallLimitMs)
    request.send(form)
  }).finally(done)
}
