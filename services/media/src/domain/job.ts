import type { Checksums, MediaMetadata, Upload } from './media.ts'

export interface Failure {
  state: 'failed'
  /** A text for users. */
  reason: string
}

/** How the work on an upload has ended. What was stored before version 0.2 has no checksums. */
export type Outcome<Done = unknown> = (({ state: 'done' } & Done) | Failure) & { checksums?: Checksums }
/** Of thumbnail, preview and metadata. */
export type PreviewOutcome = Outcome<{ metadata: MediaMetadata }>

/** One kind of work on one upload. */
interface Job<O extends Outcome> {
  attempts: number
  isDeleted: boolean
  /** Present when the work has ended. */
  outcome?: O
}

export interface JobStore<O extends Outcome> {
  /**
   * Counts an attempt, before the attempt can fail, and returns the job. Creates the job of an upload that is not
   * known yet.
   */
  startAttempt: (upload: Upload) => Promise<Job<O>>
  /** Takes an attempt off the count. */
  refundAttempt: (uploadId: string) => Promise<void>
  /** Stores the outcome together with its messages; false if the upload has been deleted. Throws if there is no job. */
  saveOutcome: (upload: Upload, outcome: O) => Promise<boolean>
}

export interface JobRecords {
  markDeleted: (uploadId: string) => Promise<void>
  /** Whether the upload has been marked as deleted. */
  isDeleted: (uploadId: string) => Promise<boolean>
  /** Removes at most `limit` jobs that have not changed since `before` and have published their outcome. */
  removeOlderThan: (before: Date, limit: number) => Promise<number>
}
