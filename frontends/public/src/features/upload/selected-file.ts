import type { Rejection } from '@confetti/guest-storage'
import { isSameFile, validateFile, type FileLimits } from './file-validation.ts'

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
export interface RestoredFile {
  file: File
  /** The name under which it is sent. Undefined if its sending had not begun. */
  credit: string | undefined
  /** Why the server has refused it. */
  rejection: Rejection | undefined
}

type Files = readonly SelectedFile[]

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
