import { useEffect, useRef, useState } from 'react'
import { MB, type Upload } from '@confetti/contracts'
import { getFailureText } from '@confetti/ui/failure-text'
import { notify, notifyError, type ToastContent } from '@confetti/ui/notify'
import { downloadBatches, waitBeforeRetry, type BatchProgress, type Outcome } from './download-batches.ts'
import { fetchFile, loadZip } from './browser-files.ts'
import { saveFile } from './fetch-chunks.ts'
import { getText } from './texts.ts'

const PHONE_BATCH_BYTES = 500 * MB
const DESKTOP_BATCH_BYTES = 2_000 * MB

/**
 * The most bytes of files in one batch, which is in memory whole. Phones and tablets close a page that uses more. On
 * desktops two gigabytes fit into a browser's process, and stay below the 4 GB of a zip without ZIP64, which JSZip does
 * not write.
 */
const maxBatchBytes = (): number =>
  matchMedia('(pointer: coarse)').matches ? PHONE_BATCH_BYTES : DESKTOP_BATCH_BYTES

// Each notice replaces the one before. The pause makes each readable, and browsers do not block the next
// download.
const NOTICE_INTERVAL_MS = 1_200

/** `failed` and `ranOutOfMemory` are set when a download has ended. */
interface Progress extends Outcome {
  isBusy: boolean
  batches: readonly BatchProgress[]
}

export interface ZipDownload extends Progress {
  /** Saves all uploads in zips of at most `batchSize` files, or fewer if they are large. */
  start: (batchSize: number) => void
  /** Saves the uploads that failed in zips of their own. */
  retryFailed: (batchSize: number) => void
  stop: () => void
  /** Forgets how the last download went. */
  clear: () => void
}

export interface ZipDownloadOptions {
  eventId: string
  /** Lists all uploads with fresh links. */
  listUploads: (signal: AbortSignal) => Promise<readonly Upload[]>
  /** Shown if there is nothing to download. */
  emptyMessage: string
  /** Shown after all files have been saved. */
  doneNotice: ToastContent
}

const idle: Progress = { isBusy: false, batches: [], failed: [], ranOutOfMemory: false }

const withBatch = (batches: readonly BatchProgress[], batch: BatchProgress): readonly BatchProgress[] => [
  ...batches.filter(({ number }) => number !== batch.number),
  batch,
]

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Creates a function that shows notices one after the other, each for `NOTICE_INTERVAL_MS` at least. */
const createNotifier = (signal: AbortSignal) => {
  let nextAt = 0
  return async (notice: ToastContent): Promise<void> => {
    await sleep(Math.max(0, nextAt - Date.now()))
    signal.throwIfAborted()
    notify(notice)
    nextAt = Date.now() + NOTICE_INTERVAL_MS
  }
}

const outcomeNotice = (
  { failed, ranOutOfMemory }: Outcome,
  total: number,
  doneNotice: ToastContent,
): ToastContent => {
  if (failed.length === 0) return doneNotice
  if (failed.length === total) {
    const message = getText(ranOutOfMemory ? 'album.zips.smallerBatch' : 'album.zips.allFailed')
    return { title: getText('album.download.failed'), message, destructive: true }
  }
  return { ...doneNotice, message: getText('album.zips.missing', { count: failed.length, total }) }
}

/**
 * Downloads the uploads of one event in batches, one download at a time. Leaving the page stops the download.
 */
export const useZipDownload = ({
  eventId,
  listUploads,
  emptyMessage,
  doneNotice,
}: ZipDownloadOptions): ZipDownload => {
  const [progress, setProgress] = useState<Progress>(idle)
  const running = useRef<AbortController>(undefined)
  const hasUnsavedFiles = useRef(false)

  useEffect(
    () => () => {
      if (!running.current) return
      running.current.abort()
      if (hasUnsavedFiles.current)
        notify({ title: getText('album.download.stopped'), message: getText('album.zips.stay') })
    },
    [],
  )

  const download = async (
    batchSize: number,
    onlyUploads: readonly Upload[] | undefined,
    signal: AbortSignal,
  ) => {
    const listed = await listUploads(signal)
    const onlyIds = onlyUploads && new Set(onlyUploads.map(({ _id }) => _id))
    const uploads = onlyIds ? listed.filter(({ _id }) => onlyIds.has(_id)) : listed
    if (uploads.length === 0) {
      setProgress(idle)
      notify({ title: getText('album.zips.empty'), message: emptyMessage })
      return
    }
    const notifyNext = createNotifier(signal)
    await notifyNext({ title: getText('album.zips.started'), message: getText('album.zips.started.hint') })
    const makeZip = await loadZip()
    const outcome = await downloadBatches(
      {
        eventId,
        uploads,
        batchSize,
        maxBatchBytes: maxBatchBytes(),
        // Zips of a retry get names of their own.
        firstNumber: onlyUploads ? progress.batches.length + 1 : 1,
        listUploads: () => listUploads(signal),
        onProgress: (batch) =>
          setProgress((before) => ({ ...before, batches: withBatch(before.batches, batch) })),
        onSaved: (number, total) => {
          hasUnsavedFiles.current = number < total
          return notifyNext({ title: getText('album.zips.saved', { number, total }) })
        },
        signal,
      },
      { fetchFile, makeZip, saveFile, waitBeforeRetry },
    )
    await notifyNext(outcomeNotice(outcome, uploads.length, doneNotice))
    setProgress((before) => ({ ...before, ...outcome }))
  }

  const start = async (batchSize: number, onlyUploads?: readonly Upload[]): Promise<void> => {
    if (running.current) return
    const controller = new AbortController()
    running.current = controller
    hasUnsavedFiles.current = true
    setProgress((before) => ({ ...idle, isBusy: true, batches: onlyUploads ? before.batches : [] }))
    try {
      await download(batchSize, onlyUploads, controller.signal)
    } catch (error) {
      if (controller.signal.aborted) return
      setProgress((before) => ({ ...before, failed: onlyUploads ?? [] }))
      notifyError(getFailureText(error))
    } finally {
      if (running.current === controller) {
        running.current = undefined
        setProgress((before) => ({ ...before, isBusy: false }))
      }
    }
  }

  return {
    ...progress,
    start: (batchSize) => void start(batchSize),
    retryFailed: (batchSize) => void start(batchSize, progress.failed),
    stop: () => {
      running.current?.abort()
      running.current = undefined
      setProgress(idle)
      notify({ title: getText('album.download.stopped') })
    },
    clear: () => setProgress(idle),
  }
}
