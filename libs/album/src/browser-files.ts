import { getText } from './texts.ts'

// Files in the browser's memory: fetched, packed into zips, saved.

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

export interface ZipEntry {
  name: string
  /** Not a blob: browsers limit the memory for blobs, and the zip is one. */
  content: Uint8Array
}

/** Packs files into one zip. Rejects if memory runs out, or with the reason of an aborted signal. */
export type MakeZip = (entries: readonly ZipEntry[], signal: AbortSignal) => Promise<Blob>

// JSZip's chunks of some kilobytes are joined to blobs of this size, which the browser may move to disk.
const BLOB_PART_BYTES = 8 * 1024 * 1024

/**
 * Loads JSZip, which is downloaded with the first zip only, and resolves with a function that packs files.
 */
export const loadZip = async (): Promise<MakeZip> => {
  const { default: JSZip } = await import('jszip')

  const pack = (entries: readonly ZipEntry[], signal: AbortSignal): Promise<Blob> => {
    const zip = new JSZip()
    for (const { name, content } of entries) zip.file(name, content, { createFolders: false })

    signal.throwIfAborted()
    return new Promise((resolve, reject: (reason: Error) => void) => {
      const parts: Blob[] = []
      let chunks: Uint8Array<ArrayBuffer>[] = []
      let bytes = 0
      const flushPart = (): void => {
        parts.push(new Blob(chunks))
        chunks = []
        bytes = 0
      }
      // Photos and videos are compressed already.
      const stream = zip.generateInternalStream({ type: 'uint8array', compression: 'STORE' })
      const abort = (): void => {
        stream.pause()
        reject(signal.reason as Error)
      }
      // The signal outlives this zip; a listener left on it would keep the files in memory.
      const removeAbortListener = (): void => signal.removeEventListener('abort', abort)
      signal.addEventListener('abort', abort)
      stream
        .on('data', (chunk) => {
          chunks.push(chunk as Uint8Array<ArrayBuffer>)
          bytes += chunk.length
          if (bytes >= BLOB_PART_BYTES) flushPart()
        })
        .on('error', (error) => {
          removeAbortListener()
          reject(error)
        })
        .on('end', () => {
          removeAbortListener()
          flushPart()
          resolve(new Blob(parts, { type: 'application/zip' }))
        })
        .resume()
    })
  }

  return async (entries, signal) => {
    const zip = await pack(entries, signal)
    // A blob for which the browser ran out of memory fails only when it is read.
    await zip.slice(-1).arrayBuffer()
    return zip
  }
}
