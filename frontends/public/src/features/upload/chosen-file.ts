import { isSame, reasonAgainst } from './file-choice.ts'

/** `unfit` is never sent; `waiting` stands in line, for the first time or again. */
export type FileStatus = 'unfit' | 'ready' | 'waiting' | 'sending' | 'sent' | 'failed'

export interface ChosenFile {
  readonly id: number
  readonly file: File
  readonly status: FileStatus
  /** Bytes of it that have left the device. */
  readonly sentBytes: number
  /** Why it is unfit, has failed, or has to go again. */
  readonly message?: string | undefined
}

type Files = readonly ChosenFile[]

let lastId = 0

const chosenNow = (file: File): ChosenFile => {
  lastId += 1
  const message = reasonAgainst(file)
  return { id: lastId, file, status: message ? 'unfit' : 'ready', sentBytes: 0, message }
}

export const withChange = (files: Files, id: number, to: Partial<ChosenFile>): Files =>
  files.map((file) => (file.id === id ? { ...file, ...to } : file))

/** Adds what is not there yet. A failed file that is chosen anew is ready again: its bytes may be readable now. */
export const withAdded = (files: Files, chosen: readonly File[]): Files =>
  chosen.reduce((all, file) => {
    const before = all.find((other) => isSame(other.file, file))
    if (!before) return [...all, chosenNow(file)]
    if (before.status !== 'failed') return all
    return withChange(all, before.id, { file, status: 'ready', sentBytes: 0, message: undefined })
  }, files)
