import { ApiError, checkDownload, wait } from '@confetti/api-client'
import type { Archive } from '@confetti/contracts'

type CreateArchive = (options: { signal: AbortSignal; quiet: boolean }) => Promise<Archive>

const DEFAULT_RETRY_AFTER_MS = 5_000
const MAX_LINK_CHECKS = 6
// Connections are lost and replicas restart during the minutes of a preparation.
const MAX_FAILURES_IN_A_ROW = 10

interface RequestOptions {
  signal: AbortSignal
  /** Called each time that the server asks to wait; `busy`: it has too many downloads. */
  onWait: (reason: ApiError | 'busy') => void
}

/** Waits as long as the server asked for. Rejects when aborted. */
const waitToRetry = async ({ retryAfterMs = DEFAULT_RETRY_AFTER_MS }: ApiError, signal: AbortSignal) => {
  await wait(retryAfterMs, signal)
  signal.throwIfAborted()
}

/** Creates an archive. Once the server has begun to prepare it, errors that may pass do not end the wait for it. */
const createWhenPrepared = async (
  createArchive: CreateArchive,
  { signal, onWait }: RequestOptions,
): Promise<Archive> => {
  let isPreparing = false
  let failures = 0
  for (;;) {
    try {
      return await createArchive({ signal, quiet: true })
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
      onWait('busy')
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
  options: RequestOptions,
): Promise<Archive> => {
  const archive = await createWhenPrepared(createArchive, options)
  options.signal.throwIfAborted()
  await checkLink(archive.url, options)
  options.signal.throwIfAborted()
  return archive
}

/** Hands a link to the browser's downloads, which fetch the file without the page. */
export const openDownload = (url: string, name: string): void => {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
