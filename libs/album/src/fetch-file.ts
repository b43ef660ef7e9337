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

const join = (chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Fetches a whole file. Rejects with `FetchFailed`, or as aborted by its signal; a transfer that stalls is ended. */
export const fetchFile = async (
  url: string,
  { signal, stallLimitMs = STALL_LIMIT_MS }: Options = {},
): Promise<Uint8Array<ArrayBuffer>> => {
  signal?.throwIfAborted()
  const transfer = new AbortController()
  const end = (): void => transfer.abort()
  signal?.addEventListener('abort', end)
  let stall: ReturnType<typeof setTimeout> | undefined
  const moving = (): void => {
    clearTimeout(stall)
    stall = setTimeout(end, stallLimitMs)
  }

  const read = async (): Promise<Uint8Array<ArrayBuffer>> => {
    moving()
    const response = await fetch(url, { mode: 'cors', signal: transfer.signal })
    if (!response.ok) throw new FetchFailed(response.status, response.statusText || String(response.status))
    const reader = response.body?.getReader()
    const chunks: Uint8Array[] = []
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      moving()
      chunks.push(part.value)
    }
    return join(chunks)
  }

  try {
    return await read()
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof FetchFailed ? error : new FetchFailed(0, 'the connection was lost')
  } finally {
    clearTimeout(stall)
    signal?.removeEventListener('abort', end)
    // Nothing of a refused answer is waited for.
    end()
  }
}
