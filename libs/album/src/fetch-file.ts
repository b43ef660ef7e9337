/** A file that could not be fetched. `status` is 0 where no answer came. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
  readonly status: number

  constructor(status: number, reason: string) {
    super(`Failed to fetch file: ${reason}`)
    this.status = status
  }
}

// Without a byte for so long, the connection counts as lost.
const STALL_LIMIT_MS = 30_000

interface Options {
  signal?: AbortSignal
  stallLimitMs?: number
}

type Chunks = readonly Uint8Array<ArrayBuffer>[]

const join = (chunks: Chunks): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Whether there was no room for something. */
export const isOutOfMemory = (error: unknown): boolean => error instanceof RangeError

/**
 * Fetches a file as the pieces in which it comes. Rejects with `FetchFailed`, with a `RangeError` where there is no
 * room for it, or as aborted by its signal; a transfer that stalls is ended.
 */
export const fetchChunks = async (
  url: string,
  { signal, stallLimitMs = STALL_LIMIT_MS }: Options = {},
): Promise<Chunks> => {
  signal?.throwIfAborted()
  const transfer = new AbortController()
  const end = (): void => transfer.abort()
  signal?.addEventListener('abort', end)
  let stall: ReturnType<typeof setTimeout> | undefined
  const moving = (): void => {
    clearTimeout(stall)
    stall = setTimeout(end, stallLimitMs)
  }

  const read = async (): Promise<Chunks> => {
    moving()
    const response = await fetch(url, { mode: 'cors', signal: transfer.signal })
    if (!response.ok) throw new FetchFailed(response.status, response.statusText || String(response.status))
    const reader = response.body?.getReader()
    const chunks: Uint8Array<ArrayBuffer>[] = []
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      moving()
      chunks.push(part.value)
    }
    return chunks
  }

  try {
    return await read()
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof FetchFailed || isOutOfMemory(error)) throw error
    throw new FetchFailed(0, 'the connection was lost')
  } finally {
    clearTimeout(stall)
    signal?.removeEventListener('abort', end)
    // Nothing of a refused answer is waited for.
    end()
  }
}

/** The same in one piece, for which it is in memory twice for a moment. */
export const fetchFile = async (url: string, options?: Options): Promise<Uint8Array<ArrayBuffer>> =>
  join(await fetchChunks(url, options))
