import { getText } from './texts.ts'

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

type Chunks = readonly Uint8Array<ArrayBuffer>[]

const concatenate = (chunks: Chunks): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

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

/** Fetches a file like `fetchChunks`, as one array. Needs twice the file's size in memory for a moment. */
export const fetchFile = async (url: string, options?: Options): Promise<Uint8Array<ArrayBuffer>> =>
  concatenate(await fetchChunks(url, options))
