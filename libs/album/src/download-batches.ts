import type { Upload } from '@confetti/contracts'
import { FetchFailed, isOutOfMemory } from './fetch-file.ts'
import { nameInZip } from './file-names.ts'
import { inParallel } from './in-parallel.ts'
import { makeReadLinks, type ReadLinks } from './read-links.ts'
import type { MakeZip, ZipEntry } from './zip.ts'

const AT_ONCE = 4
const RETRY_AFTER_MS = 1_000
// A zip of more than 2^32 bytes, names included, would need ZIP64, which JSZip does not write: it cannot be opened.
const MOST_BYTES = 4_000_000_000

export interface BatchProgress {
  number: number
  files: number
  /** How many of them have been fetched or given up. */
  done: number
}

interface Job {
  eventId: string
  uploads: readonly Upload[]
  batchSize: number
  /** The number of the first batch. */
  firstNumber?: number
  /** Brings the list anew, for links that have expired. */
  listAgain: () => Promise<readonly Upload[]>
  onProgress: (batch: BatchProgress) => void
  /** A batch has been saved: the `number`th of `of`. */
  onSaved: (number: number, of: number) => Promise<void>
  signal: AbortSignal
}

interface Deps {
  fetchFile: (url: string, options: { signal: AbortSignal }) => Promise<Uint8Array>
  makeZip: MakeZip
  /** Returns what gives the file's memory back. */
  saveFile: (content: Blob, name: string) => () => void
  /** Resolves when it is worth trying again after a failure. */
  beforeRetry: (signal: AbortSignal) => Promise<void>
}

/** Batches of so many files, and of fewer where those would not fit a zip. */
const inBatches = (uploads: readonly Upload[], size: number): (readonly Upload[])[] => {
  const batches: Upload[][] = []
  let bytes = 0
  for (const upload of uploads) {
    const batch = batches.at(-1)
    if (batch && batch.length < size && bytes + upload.size <= MOST_BYTES) {
      batch.push(upload)
      bytes += upload.size
    } else {
      batches.push([upload])
      bytes = upload.size
    }
  }
  return batches
}

/** After a moment, and not before the device is online. */
export const beforeRetry = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', go)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = navigator.onLine ? setTimeout(() => go(), RETRY_AFTER_MS) : undefined
    signal.addEventListener('abort', go)
    window.addEventListener('online', go)
  })

const GONE = [404, 410]

/** One file, tried twice: the second time with a fresh link, where the first may have expired. */
const fetchUpload = async (
  upload: Upload,
  links: ReadLinks,
  signal: AbortSignal,
  { fetchFile, beforeRetry }: Deps,
): Promise<Uint8Array> => {
  const link = links.of(upload._id) ?? upload.url
  try {
    return await fetchFile(link, { signal })
  } catch (error) {
    signal.throwIfAborted()
    // A second try would want as much room.
    if (isOutOfMemory(error)) throw error
    const status = error instanceof FetchFailed ? error.status : 0
    if (GONE.includes(status)) throw error
    if (status !== 403) await beforeRetry(signal)
    // A refusal may come without leave to read it, and then looks like a lost connection.
    if (status === 403 || links.areOld()) await links.renew(upload._id, link)
    return fetchFile(links.of(upload._id) ?? link, { signal })
  }
}

export interface Outcome {
  /** Those that could not be fetched or packed. */
  failed: readonly Upload[]
  /** Whether there was no room for a batch as large as that. */
  tooMuch: boolean
}

/** Saves uploads as zips of `batchSize` files and 4 GB at most, one zip after the other. Rejects only as aborted by its signal. */
export const downloadBatches = async (
  { eventId, uploads, batchSize, firstNumber = 1, listAgain, onProgress, onSaved, signal }: Job,
  deps: Deps,
): Promise<Outcome> => {
  const links = makeReadLinks(uploads, listAgain)
  const failed: Upload[] = []
  let tooMuch = false
  let releaseLast = (): void => undefined
  const batches = inBatches(uploads, batchSize)
  const last = firstNumber + batches.length - 1

  const fetchBatch = async (batch: readonly Upload[], number: number): Promise<ZipEntry[]> => {
    let done = 0
    onProgress({ number, files: batch.length, done })
    const entries = await inParallel(batch, AT_ONCE, async (upload): Promise<ZipEntry[]> => {
      try {
        return [{ name: nameInZip(upload), content: await fetchUpload(upload, links, signal, deps) }]
      } catch (error) {
        signal.throwIfAborted()
        tooMuch ||= isOutOfMemory(error)
        failed.push(upload)
        return []
      } finally {
        done += 1
        if (!signal.aborted) onProgress({ number, files: batch.length, done })
      }
    })
    return entries.flat()
  }

  // Nothing of a batch outlives this: its files and its zip make room for the next.
  const saveBatch = async (batch: readonly Upload[], number: number): Promise<void> => {
    const entries = await fetchBatch(batch, number)
    if (entries.length === 0) return
    // By now the browser has it.
    releaseLast()
    try {
      const zip = await deps.makeZip(entries, signal)
      signal.throwIfAborted()
      releaseLast = deps.saveFile(zip, `Event_${eventId}_Batch${number}.zip`)
    } catch {
      signal.throwIfAborted()
      tooMuch = true
      failed.push(...batch.filter((upload) => !failed.includes(upload)))
      return
    }
    await onSaved(number, last)
  }

  for (const [index, batch] of batches.entries()) {
    signal.throwIfAborted()
    await saveBatch(batch, firstNumber + index)
  }
  return { failed, tooMuch }
}
