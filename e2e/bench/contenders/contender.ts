import type { GuestFile } from '../guest-files.ts'
import type { Line } from '../connection.ts'
import type { Watched } from '../processes.ts'

/** A guest who sends files one after the other. */
export interface Guest {
  /** Resolves when the file is acknowledged. Rejects with a `Refusal`. */
  send: (file: GuestFile) => Promise<void>
  close: () => void
}

/** A way to put guests' files into safety. */
export interface Contender {
  name: string
  watched: Watched
  /** A new, empty place for files. */
  prepare: () => Promise<void>
  newGuest: (number: number, line: Line) => Guest
  /** Ends what would go on working while the next contender is measured. */
  clear: () => Promise<void>
  stop: () => Promise<void>
}

export class Refusal extends Error {
  override name = 'Refusal'
  /** 0 where there was no answer. */
  readonly status: number
  readonly retryAfterMs: number | undefined
  constructor(status: number, { retryAfter, body }: { retryAfter?: unknown; body: string }) {
    super(`${status} ${body.slice(0, 200)}`)
    this.status = status
    this.retryAfterMs = retryAfter === undefined ? undefined : Number(retryAfter) * 1_000
  }
}
