import { ApiError, checkDownload } from '@confetti/api-client'
import type { Archive, ArchiveOptions } from '@confetti/contracts'
import { PageError } from '@confetti/ui/failure-text'
import { getText } from './texts.ts'

/** Creates a link to an archive of an event's uploads, as the role of the caller. */
export type CreateArchive = (
  body: ArchiveOptions,
  options: { signal: AbortSignal; quiet: boolean },
) => Promise<Archive>

const DEFAULT_RETRY_AFTER_MS = 5_000
const MAX_LINK_CHECKS = 6
// Connections are lost and replicas restart during the minutes of a preparation.
const MAX_FAILURES_IN_A_ROW = 10

/** Resolves after `ms`; rejects when aborted. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject: (reason: Error) => void) => {
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal.addEventListener('abort', abort, { once: true })
  })

interface RequestOptions {
  signal: AbortSignal
  /** Called each time that the server asks to wait. */
  onWait: (reason: ApiError | PageError) => void
}

/** Waits as long as the server asked for. */
const waitToRetry = ({ retryAfterMs = DEFAULT_RETRY_AFTER_MS }: ApiError, signal: AbortSignal) =>
  sleep(retryAfterMs, signal)

/** Creates an archive. Once the server has begun to prepare it, errors that may pass do not end the wait for it. */
const createWhenPrepared = async (
  createArchive: CreateArchive,
  body: ArchiveOptions,
  { signal, onWait }: RequestOptions,
): Promise<Archive> => {
  let isPreparing = false
  let failures = 0
  for (;;) {
    try {
      return await createArchive(body, { signal, quiet: true })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'archive_preparing') {
        isPreparing = true
        failures = 0
        onWait(error)
      } else {
        failures += 1
        if (!isPreparing || !error.isRetryable || failures === MAX_FAILURES_IN_A_ROW) throw error
      }
      await waitToRetry(error, signal)
    }
  }
}

/** Resolves when a link can be downloaded. While the server has too many downloads (503) it checks a few times. */
const checkLink = async (url: string, { signal, onWait }: RequestOptions): Promise<void> => {
  for (let checks = 1; ; checks += 1) {
    try {
      await checkDownload(url, signal)
      return
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError) || error.status !== 503 || checks === MAX_LINK_CHECKS) throw error
      onWait(new PageError(() => getText('album.download.serverBusy')))
      await waitToRetry(error, signal)
    }
  }
}

/**
 * Requests an archive until it is ready: the server may need minutes to compute checksums of old uploads. Its link is
 * checked, because a refused download would replace the page by the server's error.
 */
export const requestArchive = async (
  createArchive: CreateArchive,
  body: ArchiveOptions,
  options: RequestOptions,
): Promise<Archive> => {
  const archive = await createWhenPrepared(createArchive, body, options)
  options.signal.throwIfAborted()
  await checkLink(archive.url, options)
  options.signal.throwIfAborted()
  return archive
}
