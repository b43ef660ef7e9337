import type { Upload } from '@confetti/contracts'
import { type MakeZip, type ZipEntry } from './browser-files.ts'
import { FileFetchError, isOutOfMemory } from './fetch-chunks.ts'
import { nameInZip } from './upload.ts'

// Read links are valid for at least ten minutes.
const MAX_LINK_AGE_MS = 9 * 60_000
// A file that is refused with a newer link has another problem than an expired link.
const MIN_RENEW_INTERVAL_MS = 60_000

/** Holds the read links of `uploads`, which expire; `listUploads` lists the uploads again with new links. */
const createReadLinks = (
  uploads: readonly Upload[],
  listUploads: () => Promise<readonly Upload[]>,
  now = Date.now,
) => {
  let links = new Map<string, string>()
  let storedAt = 0
  let renewedAt = -Infinity
  let renewal: Promise<void> | undefined

  const store = (list: readonly Upload[]): void => {
    links = new Map(list.map(({ _id, url }) => [_id, url]))
    storedAt = now()
  }
  store(uploads)

  const renewAll = async (): Promise<void> => {
    store(await listUploads())
    renewedAt = now()
  }

  return {
    /** The current link of an upload; undefined if the upload no longer exists. */
    of: (id: string): string | undefined => links.get(id),
    mayHaveExpired: (): boolean => now() - storedAt > MAX_LINK_AGE_MS,
    /**
     * Renews all links, once for concurrent callers, unless `refusedLink` has been replaced in the meantime.
     */
    renew: async (id: string, refusedLink: string): Promise<void> => {
      if (links.get(id) !== refusedLink || now() - renewedAt < MIN_RENEW_INTERVAL_MS) return
      await (renewal ??= renewAll().finally(() => {
        renewal = undefined
      }))
    },
  }
}
type ReadLinks = ReturnType<typeof createReadLinks>

/**
 * Maps items with at most `limit` calls of `work` at a time. Resolves with the results in the order of the
 * items.
 */
const mapConcurrently = async <T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  const remaining = items.entries()
  const worker = async (): Promise<void> => {
    // All workers share one iterator, so each item is processed once.
    for (const [index, item] of remaining) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}

const CONCURRENCY = 4
const RETRY_DELAY_MS = 1_000

export interface BatchProgress {
  number: number
  files: number
  /** How many of the files have been fetched or have failed. */
  done: number
}

interface Job {
  eventId: string
  uploads: readonly Upload[]
  batchSize: number
  /** A batch ends before it has more bytes than this, unless it is a single file. */
  maxBatchBytes: number
  /** The number of the first batch. */
  firstNumber?: number
  /** Lists the uploads again, for fresh links. */
  listUploads: () => Promise<readonly Upload[]>
  onProgress: (batch: BatchProgress) => void
  /** Called after batch `number` of `total` has been saved. */
  onSaved: (number: number, total: number) => Promise<void>
  signal: AbortSignal
}

interface Deps {
  fetchFile: (url: string, options: { signal: AbortSignal }) => Promise<Uint8Array>
  makeZip: MakeZip
  /** Returns a function that frees the memory of the file. */
  saveFile: (content: Blob, name: string) => () => void
  /** Resolves when a failed fetch is worth repeating. */
  waitBeforeRetry: (signal: AbortSignal) => Promise<void>
}

/** Batches of at most `batchSize` files and `maxBatchBytes`. A larger file is a batch of its own. */
const splitIntoBatches = ({
  uploads,
  batchSize,
  maxBatchBytes,
}: Pick<Job, 'uploads' | 'batchSize' | 'maxBatchBytes'>): (readonly Upload[])[] => {
  const batches: Upload[][] = []
  let bytes = 0
  for (const upload of uploads) {
    const batch = batches.at(-1)
    if (batch && batch.length < batchSize && bytes + upload.size <= maxBatchBytes) {
      batch.push(upload)
      bytes += upload.size
    } else {
      batches.push([upload])
      bytes = upload.size
    }
  }
  return batches
}

/** Resolves after a second, or as soon as the device is online again. Resolves at once when aborted. */
export const waitBeforeRetry = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      window.removeEventListener('online', finish)
      resolve()
    }
    const timer = navigator.onLine ? setTimeout(() => finish(), RETRY_DELAY_MS) : undefined
    signal.addEventListener('abort', finish)
    window.addEventListener('online', finish)
  })

const GONE = [404, 410]

/** Fetches one file and retries once, with a fresh link if the first may have expired. */
const fetchUpload = async (
  upload: Upload,
  links: ReadLinks,
  signal: AbortSignal,
  { fetchFile, waitBeforeRetry }: Deps,
): Promise<Uint8Array> => {
  const link = links.of(upload._id) ?? upload.url
  try {
    return await fetchFile(link, { signal })
  } catch (error) {
    signal.throwIfAborted()
    // A second attempt would need as much memory.
    if (isOutOfMemory(error)) throw error
    const status = error instanceof FileFetchError ? error.status : 0
    if (GONE.includes(status)) throw error
    if (status !== 403) await waitBeforeRetry(signal)
    // A 403 without CORS headers looks like a lost connection, so old links are renewed after any failure.
    if (status === 403 || links.mayHaveExpired()) await links.renew(upload._id, link)
    return fetchFile(links.of(upload._id) ?? link, { signal })
  }
}

export interface Outcome {
  /** The uploads that could not be fetched or zipped. */
  failed: readonly Upload[]
  /** Whether a file or a batch did not fit into memory. */
  ranOutOfMemory: boolean
}

/**
 * Saves uploads as zips of at most `batchSize` files and `maxBatchBytes`, one after the other. Resolves with what
 * failed; rejects only when aborted by the signal.
 */
export const downloadBatches = async (job: Job, deps: Deps): Promise<Outcome> => {
  const { eventId, uploads, firstNumber = 1, listUploads, onProgress, onSaved, signal } = job
  const links = createReadLinks(uploads, listUploads)
  const failed: Upload[] = []
  let ranOutOfMemory = false
  let releasePreviousZip = (): void => undefined
  const batches = splitIntoBatches(job)
  const lastNumber = firstNumber + batches.length - 1

  const fetchBatch = async (batch: readonly Upload[], number: number): Promise<ZipEntry[]> => {
    let done = 0
    onProgress({ number, files: batch.length, done })
    const entries = await mapConcurrently(batch, CONCURRENCY, async (upload): Promise<ZipEntry[]> => {
      try {
        return [{ name: nameInZip(upload), content: await fetchUpload(upload, links, signal, deps) }]
      } catch (error) {
        signal.throwIfAborted()
        ranOutOfMemory ||= isOutOfMemory(error)
        failed.push(upload)
        return []
      } finally {
        done += 1
        if (!signal.aborted) onProgress({ number, files: batch.length, done })
      }
    })
    return entries.flat()
  }

  // A function of its own: the files and the zip of a batch can be garbage collected before the next batch.
  const saveBatch = async (batch: readonly Upload[], number: number): Promise<void> => {
    const entries = await fetchBatch(batch, number)
    if (entries.length === 0) return
    // While this batch was fetched, the browser has copied the previous zip.
    releasePreviousZip()
    try {
      const zip = await deps.makeZip(entries, signal)
      signal.throwIfAborted()
      releasePreviousZip = deps.saveFile(zip, `Event_${eventId}_Batch${number}.zip`)
    } catch {
      signal.throwIfAborted()
      ranOutOfMemory = true
      failed.push(...batch.filter((upload) => !failed.includes(upload)))
      return
    }
    await onSaved(number, lastNumber)
  }

  for (const [index, batch] of batches.entries()) {
    signal.throwIfAborted()
    await saveBatch(batch, firstNumber + index)
  }
  return { failed, ranOutOfMemory }
}
