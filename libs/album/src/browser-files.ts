import { fetchChunks, type Chunks } from './fetch-chunks.ts'

// Files in the browser's memory, packed into zips.

const concatenate = (chunks: Chunks): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** Fetches a file like `fetchChunks`, as one array. Needs twice the file's size in memory for a moment. */
export const fetchFile = async (
  url: string,
  options?: Parameters<typeof fetchChunks>[1],
): Promise<Uint8Array<ArrayBuffer>> => concatenate(await fetchChunks(url, options))

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
