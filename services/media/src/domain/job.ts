import type { Checksums, MediaMetadata } from './media.ts'

export type Result = { state: 'done'; metadata: MediaMetadata } | { state: 'failed'; reason: string }

/** Outcomes that were stored before version 0.2 have no checksums. */
export type Outcome = Result & { checksums?: Checksums }

/** The processing of one upload. */
interface Job {
  attempts: number
  isDeleted: boolean
  /** Present when processing has finished. */
  outcome?: Outcome
}

export interface JobStore {
  /**
   * Counts an attempt, before the attempt can fail, and returns the job. Creates the job of an upload that is not
   * known yet.
   */
  startAttempt: (uploadId: string) => Promise<Job>
  /** Takes an attempt off the count. */
  refundAttempt: (uploadId: string) => Promise<void>
  /** Stores the outcome together with its message; false if the upload has been deleted. Throws if there is no job. */
  saveOutcome: (uploadId: string, outcome: Outcome) => Promise<boolean>
  markDeleted: (uploadId: string) => Promise<void>
  /** Removes at most `limit` jobs that have not changed since `before` and have published their outcome. */
  removeOlderThan: (before: Date, limit: number) => Promise<number>
}
