import { ApiError } from '@confetti/api-client'
import { createNetworkError } from './network-error.ts'

interface PutOptions {
  url: string
  headers: Readonly<Record<string, string>>
  body: Blob
  signal: AbortSignal
  /** Called with the bytes sent so far. */
  onProgress: (sentBytes: number) => void
}

const STALL_TIMEOUT_MS = 45_000

const parseRetryAfterMs = (header: string | null): number | undefined => {
  const seconds = Number(header ?? NaN)
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : undefined
}

/**
 * Sends bytes to blob storage by `XMLHttpRequest`, because `fetch` does not report upload progress. Rejects with an
 * `ApiError` that has the status of the storage, or 0 if it did not respond, made no progress for 45 s, or could not be
 * reached. If the signal aborts, it rejects with the signal's reason.
 */
export const putBlob = ({ url, headers, body, signal, onProgress }: PutOptions): Promise<void> =>
  new Promise((resolve, reject: (reason: Error) => void) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const restartTimeout = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(), STALL_TIMEOUT_MS)
    }
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort)

    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => {
      restartTimeout()
      onProgress(loaded)
    }
    request.onload = () => {
      const { status } = request
      if (status >= 200 && status < 300) resolve()
      else
        reject(
          new ApiError(
            status,
            { code: 'storage_error', message: 'The file could not be stored.' },
            parseRetryAfterMs(request.getResponseHeader('Retry-After')),
          ),
        )
    }
    request.onerror = () => reject(createNetworkError())
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : createNetworkError())
    request.onloadend = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    restartTimeout()
    request.send(body)
  })
