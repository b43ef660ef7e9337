import { createTexts } from '@confetti/i18n'
import type { TextId } from './texts.ts'

// Files in the browser's memory: fetched and saved. Not by way of `texts.ts`: a page that imports that gets the catalogue of
// the album, and guests share photos, too.
const { getText } = createTexts<TextId>()

/** A file could not be fetched. `status` is the HTTP status, or 0 without a response. */
export class FileFetchError extends Error {
  override readonly name = 'FileFetchError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

// The connection counts as lost after this time without a byte.
const STALL_TIMEOUT_MS = 30_000

interface Options {
  signal?: AbortSignal
  stallTimeoutMs?: number
}

export type Chunks = readonly Uint8Array<ArrayBuffer>[]

/** Whether an error says that an allocation failed. */
export const isOutOfMemory = (error: unknown): boolean => error instanceof RangeError

/**
 * Fetches a file and resolves with its chunks. Aborts a transfer that stalls. Rejects with a
 * `FileFetchError`, with a `RangeError` if memory runs out, or with the reason of an aborted signal.
 */
export const fetchChunks = async (
  url: string,
  { signal, stallTimeoutMs = STALL_TIMEOUT_MS }: Options = {},
): Promise<Chunks> => {
  signal?.throwIfAborted()
  const transfer = new AbortController()
  const abort = (): void => transfer.abort()
  signal?.addEventListener('abort', abort)
  let stallTimer: ReturnType<typeof setTimeout> | undefined
  const restartStallTimer = (): void => {
    clearTimeout(stallTimer)
    stallTimer = setTimeout(abort, stallTimeoutMs)
  }

  const read = async (): Promise<Chunks> => {
    restartStallTimer()
    const response = await fetch(url, { mode: 'cors', signal: transfer.signal })
    if (!response.ok) {
      const reason = response.statusText || String(response.status)
      throw new FileFetchError(response.status, getText('album.file.fetchFailed', { reason }))
    }
    const reader = response.body?.getReader()
    const chunks: Uint8Array<ArrayBuffer>[] = []
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      restartStallTimer()
      chunks.push(part.value)
    }
    return chunks
  }

  try {
    return await read()
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof FileFetchError || isOutOfMemory(error)) throw error
    throw new FileFetchError(0, getText('album.file.connectionLost'))
  } finally {
    clearTimeout(stallTimer)
    signal?.removeEventListener('abort', abort)
    // Ends the transfer of an error response's body, which is not read.
    abort()
  }
}

// Some browsers ask where to save the file, and read it only after the answer.
const OBJECT_URL_LIFETIME_MS = 40_000

/**
 * Saves a file to the browser's downloads. Returns a function that frees its memory; without a call of it the
 * memory is freed after 40 s.
 */
export const saveFile = (content: Blob, name: string): (() => void) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  const release = (): void => {
    clearTimeout(timer)
    URL.revokeObjectURL(link.href)
  }
  const timer = setTimeout(release, OBJECT_URL_LIFETIME_MS)
  return release
}
