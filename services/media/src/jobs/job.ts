import type { MessageData } from '@confetti/contracts'

/** What is known of an upload before its original is read. */
export type Upload = Pick<
  MessageData<'upload.completed.v1'>,
  'uploadId' | 'contentType' | 'size' | 'guestId' | 'copy'
>
/** What the copy of a photo says about it. */
export type CopyMetadata = NonNullable<Upload['copy']>
/** The file of a copy or a rendition. */
export type CopyFile = MessageData<'media.copied.v1'>['copy']

export interface MediaMetadata {
  /** In pixels as displayed, after rotation. */
  width: number
  height: number
  durationSeconds?: number
  /** ISO 8601; without a zone if the file has none. */
  takenAt?: string
  /** The part of the file that says so. */
  takenAtSource?: MessageData<'media.processed.v1'>['takenAtSource']
  /** A part of the photo is missing: the derivatives show the rest. */
  isDamaged?: true
}

/** Of a whole original. */
export interface Checksums {
  /** In hexadecimal. */
  sha256: string
  /** As in ZIP entries: unsigned. */
  crc32: number
}

/** WebP images made from a photo, or from the poster of a video, and the JPEG that guests can save if one was asked for. */
export interface Derivatives {
  thumbnail: Uint8Array
  preview: Uint8Array
  copy?: Uint8Array
}

export interface Failure {
  state: 'failed'
  /** A text for users. */
  reason: string
}

/** How the work on an upload has ended. There are no checksums where the original could not be read. */
export type Outcome<Done = unknown> = (({ state: 'done' } & Done) | Failure) & { checksums?: Checksums }
/** Of thumbnail, preview and metadata. */
export type PreviewOutcome = Outcome<{ metadata: MediaMetadata; copy?: CopyFile }>
/** Of a copy or a rendition. Earlier versions did not store the file of a rendition. */
export type CopyOutcome = Outcome<{ copy?: CopyFile }>

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

export interface BlobStore {
  /**
   * Streams the original into a file and returns its checksums. Throws if there is none: it has been deleted just now,
   * or is lost.
   */
  downloadOriginal: (uploadId: string, file: string) => Promise<Checksums>
  putDerivatives: (uploadId: string, derivatives: Partial<Derivatives>) => Promise<void>
  /** Stores the file of a rendition. */
  putRendition: (uploadId: string, file: string) => Promise<void>
  /** Removes the original and its derivatives, if there are any. */
  removeUpload: (uploadId: string) => Promise<void>
}
