import { ApiError } from '@confetti/api-client'
import type { Rejection } from '@confetti/guest-storage'
import type { Text } from '../../texts.ts'
import type { PauseReason } from './backoff.ts'
import { isSameFile, validateFile, type FileLimits, type UnsupportedFileError } from './file-validation.ts'
import type { ExaminedFile } from './recognise-types.ts'

// The files that a guest has selected, their progress, and what the page says about it.

/** An `invalid` file is never sent. A `queued` file waits to be sent, for the first time or again. */
export type FileStatus = 'invalid' | 'ready' | 'queued' | 'sending' | 'sent' | 'failed'

export interface SelectedFile {
  readonly id: number
  readonly file: File
  readonly status: FileStatus
  readonly sentBytes: number
  /** Why the file is invalid, has failed, or will be sent again. */
  readonly error?: unknown
  /** Whether the server has refused the file, so that sending it again on another visit makes no sense. */
  readonly isRejected?: boolean | undefined
}

/** A file that an earlier visit has left. */
export interface RestoredFile extends ExaminedFile {
  /** The name under which it is sent. Undefined if its sending had not begun. */
  credit: string | undefined
  /** Why the server has refused it. */
  rejection: Rejection | undefined
}

type Files = readonly SelectedFile[]

/** What the server says of a file until the guest has agreed to what the event says now. */
export const CONSENT_REQUIRED = 'consent_required'
/** What it says of a file until the guest has entered the PIN of the event. */
export const PIN_REQUIRED = 'pin_required'

let lastId = 0

const createSelectedFile = (file: File, limits: FileLimits | undefined): SelectedFile => {
  lastId += 1
  const error = validateFile(file, limits)
  return { id: lastId, file, status: error ? 'invalid' : 'ready', sentBytes: 0, error }
}

export const updateFile = (files: Files, id: number, changes: Partial<SelectedFile>): Files =>
  files.map((file) => (file.id === id ? { ...file, ...changes } : file))

/**
 * Adds the files that are not in the list yet. A failed file that is selected again becomes `ready`, because the new
 * `File` may be readable where the old one was not.
 */
export const addFiles = (files: Files, selected: readonly File[], limits?: FileLimits): Files =>
  selected.reduce((all, file) => {
    const existing = all.find((other) => isSameFile(other.file, file))
    if (!existing) return [...all, createSelectedFile(file, limits)]
    if (existing.status !== 'failed') return all
    return updateFile(all, existing.id, { file, status: 'ready', sentBytes: 0, error: undefined })
  }, files)

/** What becomes of a file that has failed. */
export const toFailure = (error: unknown) => ({
  status: 'failed' as const,
  sentBytes: 0,
  error,
  // A server that is broken says nothing about the file.
  isRejected: error instanceof ApiError && error.status < 500,
})

/** What becomes of a file of no supported type. */
export const toRefusal = (error: UnsupportedFileError) => ({
  status: 'invalid' as const,
  sentBytes: 0,
  error,
})

/** What an earlier visit has left of a file. */
export const findRestored = (
  restored: readonly RestoredFile[],
  { file }: SelectedFile,
): RestoredFile | undefined => restored.find((each) => isSameFile(each.file, file))

/** Adds files of earlier visits. Those that the server refused have failed; those that lack the guest's consent are ready. */
export const restoreFiles = (files: Files, restored: readonly RestoredFile[], limits?: FileLimits): Files =>
  addFiles(
    files,
    restored.map(({ file }) => file),
    limits,
  ).map((file) => {
    const { rejection } = findRestored(restored, file) ?? {}
    if (file.status !== 'ready' || !rejection || rejection.code === CONSENT_REQUIRED) return file
    return { ...file, ...toFailure(new ApiError(rejection.status, rejection)) }
  })

/** Whether the server has refused the file because the event, or the guest, may send no more. */
export const isOverQuota = ({ error }: SelectedFile): boolean =>
  error instanceof ApiError && error.code === 'quota_exceeded'

/** Whether a failed file may be accepted if it is sent again: also one that something other than our server has refused. */
export const canRetry = ({ status, isRejected, error }: SelectedFile): boolean =>
  status === 'failed' &&
  (!isRejected || (error instanceof ApiError && ['unknown', 'credit_missing'].includes(error.code)))

export interface Progress {
  /** The number of files that the guest has started to send, whatever their outcome. */
  total: number
  sent: number
  failed: number
  /** How many of the failed files may be accepted if they are sent again. */
  retryable: number
  ready: number
  /** Whether any file is queued or being sent. */
  busy: boolean
  /** 0 to 100, by the bytes of all files that have not failed. */
  percent: number
}

/** Returns the progress of all files together. */
export const getProgress = (files: readonly SelectedFile[]): Progress => {
  const count = { invalid: 0, ready: 0, queued: 0, sending: 0, sent: 0, failed: 0 }
  let totalBytes = 0
  let totalSentBytes = 0
  for (const { status, file, sentBytes } of files) {
    count[status] += 1
    if (status !== 'queued' && status !== 'sending' && status !== 'sent') continue
    totalBytes += file.size
    totalSentBytes += sentBytes
  }
  const busy = count.queued + count.sending > 0
  const percent = totalBytes === 0 ? 0 : (100 * totalSentBytes) / totalBytes
  return {
    total: count.queued + count.sending + count.sent + count.failed,
    sent: count.sent,
    failed: count.failed,
    retryable: files.filter(canRetry).length,
    ready: count.ready,
    busy,
    // Not 100 before the last response has arrived.
    percent: busy ? Math.min(99, percent) : percent,
  }
}

export const formatOutcome = (t: Text, { sent, failed, total }: Progress): string =>
  failed === 0 ? t('upload.allSent', { count: total }) : t('upload.someSent', { sent, failed })

/** Returns why sending is paused, or undefined if it is not. */
export const getPauseText = (
  t: Text,
  pauseReason: PauseReason | undefined,
  isOnline: boolean,
): string | undefined => {
  if (!isOnline) return t('upload.paused.offline')
  if (pauseReason === 'server-busy') return t('upload.paused.busy')
  if (pauseReason === 'connection-lost') return t('upload.paused.connectionLost')
  return undefined
}

/** Returns the progress for screen readers. It changes with each quarter and each failure, not with each byte. */
export const getScreenReaderText = (t: Text, progress: Progress): string => {
  const { busy, total, failed, percent } = progress
  if (!busy) return total === 0 ? '' : formatOutcome(t, progress)
  const quarter = Math.floor(percent / 25) * 25
  const sent =
    quarter === 0
      ? t('upload.announce.sending', { count: total })
      : t('upload.announce.percent', { percent: quarter })
  return failed === 0 ? sent : `${sent} ${t('upload.failed.count', { count: failed })}`
}
