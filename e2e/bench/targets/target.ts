import type { ConnectionOptions } from '../connection.ts'
import type { GuestFile } from '../guest-files.ts'
import type { ProcessGroups } from '../processes.ts'

/** A simulated guest. */
export interface Guest {
  /** How many files the guest sends at once; 1 unless given. */
  filesAtOnce?: number
  /** Resolves when the file is acknowledged. Rejects with an `UploadError` otherwise. */
  send: (file: GuestFile) => Promise<void>
  close: () => void
}

/** A system that stores guests' files and can be measured. */
export interface Target {
  name: string
  /** The processes to measure. */
  processes: ProcessGroups
  /** Creates a new, empty destination for files. */
  prepare: () => Promise<void>
  newGuest: (number: number, connectionOptions: ConnectionOptions) => Guest
  /** Ends background work that would disturb the next measurement. */
  clear: () => Promise<void>
  stop: () => Promise<void>
}

/** A file was not acknowledged. */
export class UploadError extends Error {
  override name = 'UploadError'
  /** 0 if there was no response. */
  readonly status: number
  readonly retryAfterMs: number | undefined
  constructor(status: number, { retryAfter, body }: { retryAfter?: unknown; body: string }) {
    super(`${status} ${body.slice(0, 200)}`)
    this.status = status
    this.retryAfterMs = retryAfter === undefined ? undefined : Number(retryAfter) * 1_000
  }
}
