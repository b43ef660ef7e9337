import { useEffect, useRef, useState } from 'react'
import { messageOf } from '@confetti/api-client'
import type { Upload } from '@confetti/contracts'
import { notify, notifyError, type Notice } from '@confetti/ui/notify'
import { beforeRetry, downloadBatches, type BatchProgress, type Outcome } from './download-batches.ts'
import { fetchFile } from './fetch-file.ts'
import { saveFile } from './save-file.ts'
import { loadZip } from './zip.ts'

// One notice takes the place of the other: so long each can be read. The browser takes one file after the other then.
const READABLE_MS = 1_200

/** The outcome is there when all is done. */
interface Progress extends Outcome {
  busy: boolean
  batches: readonly BatchProgress[]
}

export interface Downloads extends Progress {
  /** Saves all uploads, in zips of so many files. */
  start: (batchSize: number) => void
  /** The same for those that failed. */
  startFailed: (batchSize: number) => void
  stop: () => void
}

interface Options {
  eventId: string
  /** Brings the whole list with fresh links. */
  list: (signal: AbortSignal) => Promise<readonly Upload[]>
  /** What is said when there is nothing to download. */
  none: string
  /** What is said when all is there. */
  done: Notice
}

const idle: Progress = { busy: false, batches: [], failed: [], tooMuch: false }

const withBatch = (batches: readonly BatchProgress[], batch: BatchProgress): readonly BatchProgress[] => [
  ...batches.filter(({ number }) => number !== batch.number),
  batch,
]

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Shows notices that follow each other, none before the last one could be read. */
const makeSay = (signal: AbortSignal) => {
  let earliest = 0
  return async (notice: Notice): Promise<void> => {
    await pause(Math.max(0, earliest - Date.now()))
    signal.throwIfAborted()
    notify(notice)
    earliest = Date.now() + READABLE_MS
  }
}

const noticeOf = ({ failed, tooMuch }: Outcome, all: number, done: Notice): Notice => {
  if (failed.length === 0) return done
  if (failed.length === all) {
    const message = tooMuch ? 'Choose a smaller batch size.' : 'No file could be fetched.'
    return { title: 'Download Failed', message, destructive: true }
  }
  return { ...done, message: `${failed.length} of ${all} files are missing. The page names them.` }
}

/** Downloads all uploads of one event in batches, one at a time; leaving the page stops it. */
export const useDownloads = ({ eventId, list, none, done }: Options): Downloads => {
  const [progress, setProgress] = useState<Progress>(idle)
  const running = useRef<AbortController>(undefined)
  /** Whether leaving now would cost files. */
  const unsaved = useRef(false)

  useEffect(
    () => () => {
      if (!running.current) return
      running.current.abort()
      if (unsaved.current)
        notify({ title: 'Download stopped', message: 'Stay on the page until all files are there.' })
    },
    [],
  )

  const download = async (batchSize: number, only: readonly Upload[] | undefined, signal: AbortSignal) => {
    const listed = await list(signal)
    const wanted = only && new Set(only.map(({ _id }) => _id))
    const uploads = wanted ? listed.filter(({ _id }) => wanted.has(_id)) : listed
    if (uploads.length === 0) {
      setProgress(idle)
      notify({ title: 'No Files', message: none })
      return
    }
    const say = makeSay(signal)
    await say({ title: 'Downloading...', message: 'Please wait while files are prepared.' })
    const makeZip = await loadZip()
    const outcome = await downloadBatches(
      {
        eventId,
        uploads,
        batchSize,
        // Zips of a second try do not take the names of the first.
        firstNumber: only ? progress.batches.length + 1 : 1,
        listAgain: () => list(signal),
        onProgress: (batch) =>
          setProgress((before) => ({ ...before, batches: withBatch(before.batches, batch) })),
        onSaved: (number, of) => {
          unsaved.current = number < of
          return say({ title: `Batch ${number} of ${of}` })
        },
        signal,
      },
      { fetchFile, makeZip, saveFile, beforeRetry },
    )
    await say(noticeOf(outcome, uploads.length, done))
    setProgress((before) => ({ ...before, ...outcome }))
  }

  const start = async (batchSize: number, only?: readonly Upload[]): Promise<void> => {
    if (running.current) return
    const controller = new AbortController()
    running.current = controller
    unsaved.current = true
    setProgress((before) => ({ ...idle, busy: true, batches: only ? before.batches : [] }))
    try {
      await download(batchSize, only, controller.signal)
    } catch (error) {
      if (controller.signal.aborted) return
      setProgress((before) => ({ ...before, failed: only ?? [] }))
      notifyError(messageOf(error))
    } finally {
      if (running.current === controller) {
        running.current = undefined
        setProgress((before) => ({ ...before, busy: false }))
      }
    }
  }

  return {
    ...progress,
    start: (batchSize) => void start(batchSize),
    startFailed: (batchSize) => void start(batchSize, progress.failed),
    stop: () => {
      running.current?.abort()
      running.current = undefined
      setProgress(idle)
      notify({ title: 'Download stopped' })
    },
  }
}
