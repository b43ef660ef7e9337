import { ApiError } from '@confetti/api-client'
import { createStore } from 'zustand'
import { createAttemptLimit, createBackoff, type BackoffDeps, type PauseReason } from './backoff.ts'
import { UnsupportedFileError, type FileLimits } from './file-validation.ts'
import type { ExaminedFile } from './recognise-types.ts'
import {
  addFiles,
  canRetry,
  CONSENT_REQUIRED,
  findRestored,
  PIN_REQUIRED,
  restoreFiles,
  toFailure,
  toRefusal,
  updateFile,
  type RestoredFile,
  type SelectedFile,
} from './selected-files.ts'

export interface QueueState {
  readonly files: readonly SelectedFile[]
  readonly pauseReason: PauseReason | undefined
  /** The server's error, once the event accepts no more uploads. */
  readonly closedError: ApiError | undefined
  /** The name under which the files are sent. */
  readonly credit: string
  /** Whether the server waits for the guest's consent to what the event says now. Its files are ready then. */
  readonly isConsentMissing: boolean
}

export interface SendOptions {
  credit: string
  /** The same for all files of a batch. */
  timestamp: number
  signal: AbortSignal
  /** Called with the bytes sent so far. `arrivedBytes` of them need not be sent again if the attempt fails; default 0. */
  onProgress: (sentBytes: number, arrivedBytes?: number) => void
  /** Called when only the server's answer is missing, so that the next file need not wait for it. */
  onBytesSent: () => void
  /** Once its own bytes have been sent: whether those of another file are on their way. */
  isOtherSending: () => boolean
  /** All files of the queue. */
  selected: () => readonly SelectedFile[]
  /** Once the event is closed, why: only a file that has a ticket is accepted then. */
  closedError: ApiError | undefined
}

interface SendQueueDeps extends Omit<BackoffDeps, 'onResume'> {
  /** Resolves when the file is stored. An error that is no `ApiError` is final: `closedError` if it would need a ticket. */
  send: (file: File, options: SendOptions) => Promise<void>
  /** Whether the device has a network connection. */
  isOnline: () => boolean
  /** Whether the event asks for its PIN: not if the guest has entered it since the call that was refused. */
  needsPin: () => boolean
  /** Calls back before the next repaint. */
  nextFrame: (draw: () => void) => void
}

/**
 * Creates the queue of files to send to one event, each in a request of its own. Retryable failures (no response, a
 * busy server) are retried until a file makes no more progress. A file that the server rejects fails without stopping
 * others.
 */
export const createSendQueue = ({ send, isOnline, needsPin, nextFrame, ...backoffDeps }: SendQueueDeps) => {
  let files: readonly SelectedFile[] = []
  let queuedIds: readonly number[] = []
  const inFlight = new Map<number, AbortController>()
  /** Those in flight whose bytes have been sent. */
  const answering = new Set<number>()
  let batch = { credit: '', timestamp: 0 }
  let closedError: ApiError | undefined
  let isConsentMissing = false
  /** Files without a ticket wait then, until `resume`. */
  let isPinMissing = false

  const attemptLimit = createAttemptLimit()
  const backoff = createBackoff({ ...backoffDeps, onResume: () => startNext() })
  const readState = (): QueueState => ({
    files,
    pauseReason: backoff.getPauseReason(),
    closedError,
    credit: batch.credit,
    isConsentMissing,
  })
  const { getState, setState, subscribe } = createStore(readState)
  const updateState = (): void => setState(readState(), true)
  let isUpdateScheduled = false
  /** Once, however often it is called before that frame. */
  const updateOnNextFrame = (): void => {
    if (isUpdateScheduled) return
    isUpdateScheduled = true
    nextFrame(() => {
      isUpdateScheduled = false
      updateState()
    })
  }

  const update = (id: number, changes: Partial<SelectedFile>): void => {
    files = updateFile(files, id, changes)
  }

  // A wait that the server asked for, or a device without a connection, says nothing about the file.
  const mayRetry = ({ id, sentBytes }: SelectedFile, { retryAfterMs }: ApiError): boolean =>
    retryAfterMs !== undefined || !isOnline() || attemptLimit.recordFailure(id, sentBytes)

  /** Except those that have been sent, and whose answer was lost: the server may have stored them. */
  const failQueued = (error: ApiError): void => {
    const sentIds = files.filter(({ file, sentBytes }) => sentBytes === file.size).map(({ id }) => id)
    for (const id of queuedIds) if (!sentIds.includes(id)) update(id, toFailure(error))
    queuedIds = queuedIds.filter((id) => sentIds.includes(id))
  }

  const handleFailure = (id: number, error: unknown, arrivedBytes: number): void => {
    const file = files.find((each) => each.id === id)
    if (!file) return
    // The queue's own error says nothing of the connection.
    if (!(error instanceof ApiError) || error === closedError) {
      update(id, error instanceof UnsupportedFileError ? toRefusal(error) : toFailure(error))
      return
    }
    if (error.isRetryable) {
      const status = mayRetry(file, error) ? 'queued' : 'failed'
      update(id, { status, sentBytes: arrivedBytes, error })
      // To the end of the queue, so that a file that always fails does not block the others.
      if (status === 'queued') queuedIds = [...queuedIds, id]
      backoff.recordFailure(error)
      return
    }
    backoff.recordResponse()
    if (error.code === PIN_REQUIRED) {
      update(id, { status: 'queued', sentBytes: 0 })
      queuedIds = [id, ...queuedIds]
      isPinMissing = needsPin()
      return
    }
    if (error.code === CONSENT_REQUIRED) {
      // Files that have a ticket are completed; all others wait until the guest sends them again.
      for (const each of [id, ...queuedIds]) update(each, { status: 'ready', sentBytes: 0 })
      queuedIds = []
      isConsentMissing = true
      return
    }
    update(id, toFailure(error))
    if (error.status !== 410) return
    // The event is closed. The others go on: what got a ticket before a scheduled closing time can be completed after it.
    closedError ??= error
    // An organiser has closed the event: tickets are of no use any more.
    if (answering.has(id)) failQueued(error)
  }

  const sendFile = async (id: number, file: File): Promise<void> => {
    const controller = new AbortController()
    inFlight.set(id, controller)
    update(id, { status: 'sending', error: undefined })
    let arrivedBytes = 0
    const onProgress = (sentBytes: number, arrived = 0): void => {
      if (inFlight.get(id) !== controller) return
      arrivedBytes = arrived
      update(id, { sentBytes: Math.min(sentBytes, file.size) })
      updateOnNextFrame()
    }
    try {
      await send(file, {
        ...batch,
        signal: controller.signal,
        onProgress,
        onBytesSent: () => {
          answering.add(id)
          startNext()
        },
        isOtherSending: () => inFlight.size > answering.size,
        selected: () => files,
        closedError,
      })
      update(id, { status: 'sent', sentBytes: file.size, error: undefined })
      attemptLimit.recordSent()
      backoff.recordResponse()
    } catch (error) {
      handleFailure(id, error, arrivedBytes)
    } finally {
      inFlight.delete(id)
      answering.delete(id)
      startNext()
    }
  }

  const startNext = (): void => {
    const limit = backoff.getConcurrencyLimit()
    // One at a time after a failure, with its answer.
    while (!isPinMissing && inFlight.size < limit + (limit > 1 ? answering.size : 0)) {
      const [id, ...others] = queuedIds
      const next = files.find((file) => file.id === id)
      if (!next) break
      queuedIds = others
      void sendFile(next.id, next.file)
    }
    updateState()
  }

  const enqueue = (predicate: (file: SelectedFile) => boolean): void => {
    const ids = new Set(files.filter(predicate).map(({ id }) => id))
    queuedIds = [...queuedIds, ...ids]
    for (const id of ids) {
      attemptLimit.reset(id)
      update(id, { status: 'queued', error: undefined, isRejected: false })
    }
    startNext()
  }

  const isReady = ({ status }: SelectedFile): boolean => status === 'ready'
  const isSending = (): boolean => queuedIds.length > 0 || inFlight.size > 0
  const startBatch = (credit: string): void => {
    isConsentMissing = false
    isPinMissing = false
    if (isSending()) return
    batch = { credit, timestamp: backoffDeps.now() }
    backoff.resume()
  }

  return {
    getState,
    subscribe,
    /** Goes on at once when the connection, or the guest's pass for the event, may be there. */
    resume: (): void => {
      isPinMissing = false
      backoff.resume()
    },
    /** Whether any file is queued or being sent. */
    isSending,

    /** Adds files. If others are being sent, the new ones are queued as well, and none that already wait for `start`. */
    add: (selected: readonly File[], limits?: FileLimits): void => {
      const waitingIds = new Set(files.filter(isReady).map(({ id }) => id))
      files = addFiles(files, selected, limits)
      if (isSending()) enqueue((file) => isReady(file) && !waitingIds.has(file.id))
      else updateState()
    },

    /** Makes those files invalid that are of no supported type by their first bytes, unless they are being sent. */
    refuse: (examined: readonly ExaminedFile[]): void => {
      for (const { file, error } of examined) {
        const selected = error && files.find((each) => each.file === file)
        if (!selected || inFlight.has(selected.id)) continue
        queuedIds = queuedIds.filter((id) => id !== selected.id)
        update(selected.id, toRefusal(error))
      }
      updateState()
    },

    /**
     * Adds files of earlier visits. Continues with those whose sending had begun, under the name of the batch or of the
     * first; others stay ready, and those that the server refused until the guest agrees.
     */
    restore: (restored: readonly RestoredFile[], limits?: FileLimits): void => {
      files = restoreFiles(files, restored, limits)
      const started = restored.find((each) => each.credit !== undefined && !each.rejection)
      const credit = isSending() ? batch.credit : started?.credit
      if (credit === undefined) updateState()
      else {
        startBatch(credit)
        enqueue((file) => {
          const { credit: startedAs, rejection } = findRestored(restored, file) ?? {}
          return isReady(file) && startedAs === credit && !rejection
        })
      }
    },

    /** Removes a file that has not been sent. Cancels its request, if it is being sent. */
    remove: (id: number): void => {
      files = files.filter((file) => file.id !== id || file.status === 'sent')
      queuedIds = queuedIds.filter((queuedId) => queuedId !== id)
      inFlight.get(id)?.abort(new Error('The file was removed.'))
      updateState()
    },

    /** Sends all files that are ready. */
    start: (credit: string): void => {
      startBatch(credit)
      enqueue(isReady)
    },

    /** Sends a failed file again, or if `id` is missing, all failed files that may be accepted then. */
    retry: (credit: string, id?: number): void => {
      startBatch(credit)
      enqueue(id === undefined ? canRetry : (file) => file.status === 'failed' && file.id === id)
    },

    /** Removes all files, unless some are still being sent. */
    clear: (): void => {
      if (isSending()) return
      files = []
      closedError = undefined
      backoff.reset()
      updateState()
    },
  }
}

export type SendQueue = ReturnType<typeof createSendQueue>
