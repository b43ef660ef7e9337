export interface ZipEntry {
  name: string
  /** Not a blob: browsers have less room for those, and the zip will be one. */
  content: Uint8Array
}

/** Packs files into one zip. Rejects where there is no room for it, or as aborted by the signal. */
export type MakeZip = (entries: readonly ZipEntry[], signal: AbortSignal) => Promise<Blob>

// Chunks of some kilobytes are joined to pieces of this size, which the browser may keep on disk.
const PIECE_BYTES = 8 * 1024 * 1024

/** Brings the code that packs zips, which only those who ask for one download. */
export const loadZip = async (): Promise<MakeZip> => {
  const { default: JSZip } = await import('jszip')

  const pack = (entries: readonly ZipEntry[], signal: AbortSignal): Promise<Blob> => {
    const zip = new JSZip()
    for (const { name, content } of entries) zip.file(name, content, { createFolders: false })

    signal.throwIfAborted()
    return new Promise((resolve, reject: (reason: Error) => void) => {
      const pieces: Blob[] = []
      let chunks: Uint8Array<ArrayBuffer>[] = []
      let bytes = 0
      const cut = (): void => {
        pieces.push(new Blob(chunks))
        chunks = []
        bytes = 0
      }
      // Photos do not get smaller: they are stored as they are.
      const stream = zip.generateInternalStream({ type: 'uint8array', compression: 'STORE' })
      const abort = (): void => {
        stream.pause()
        reject(signal.reason as Error)
      }
      // The signal outlives this zip, and would keep its files in memory.
      const letGo = (): void => signal.removeEventListener('abort', abort)
      signal.addEventListener('abort', abort)
      stream
        .on('data', (chunk) => {
          chunks.push(chunk as Uint8Array<ArrayBuffer>)
          bytes += chunk.length
          if (bytes >= PIECE_BYTES) cut()
        })
        .on('error', (error) => {
          letGo()
          reject(error)
        })
        .on('end', () => {
          letGo()
          cut()
          resolve(new Blob(pieces, { type: 'application/zip' }))
        })
        .resume()
    })
  }

  return async (entries, signal) => {
    const zip = await pack(entries, signal)
    // A blob that the browser had no room for looks like any other one, until it is read.
    await zip.slice(-1).arrayBuffer()
    return zip
  }
}
