import { ApiError } from '@confetti/api-client'
import type { Archive, ArchiveOptions } from '@confetti/contracts'

/** Creates a link to an archive of an event's uploads, as the role of the caller. */
export type CreateArchive = (
  body: ArchiveOptions,
  options: { signal: AbortSignal; quiet: boolean },
) => Promise<Archive>

const DEFAULT_RETRY_AFTER_MS = 5_000

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
  /** Called with the server's message each time that the archive is still being prepared. */
  onPreparing: (message: string) => void
}

/** Requests an archive until it is ready: the server may need minutes to compute checksums of old uploads. */
export const requestArchive = async (
  createArchive: CreateArchive,
  body: ArchiveOptions,
  { signal, onPreparing }: RequestOptions,
): Promise<Archive> => {
  for (;;) {
    try {
      const archive = await createArchive(body, { signal, quiet: true })
      signal.throwIfAborted()
      return archive
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError) || error.code !== 'archive_preparing') throw error
      onPreparing(error.message)
      await sleep(error.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS, signal)
    }
  }
}
