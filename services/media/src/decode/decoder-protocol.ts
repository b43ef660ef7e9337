import type { MediaType } from '@confetti/contracts'
import type { CopyMetadata, Derivatives, MediaMetadata } from '../jobs/job.ts'
import type { Programs } from './programs.ts'

// The messages between the worker and a decoder process, and their errors, in a file of their own: a decoder loads no more
// modules than it needs.

export interface DecodeLimits {
  maxMegapixels: number
  /** Longer videos get no rendition. */
  maxRenditionSeconds: number
  memoryBytes: number
  /** The limit for a large file, of which a worker decodes one at a time. */
  largeMemoryBytes: number
  cpuTimeLimitMs: number
}

export interface DecodeJob extends DecodeLimits {
  task: DecoderTask
  file: string
  /** Absent in a rendition's. */
  contentType?: MediaType
  /** Asks for a copy of a photo. */
  copy?: CopyMetadata
  /** Where the decoder may write. */
  folder: string
  programs: Programs
}

export interface Decoded extends Derivatives {
  metadata: MediaMetadata
}

/** What each task of a decoder results in. */
export interface DecoderTasks {
  photo: Decoded
  video: Decoded
  /** The rendition's file, in the job's folder. */
  rendition: string
}
export type DecoderTask = keyof DecoderTasks

/** `unprocessable` is why the file cannot be processed, `error` what else went wrong. */
export type DecoderResult<T extends DecoderTask = DecoderTask> =
  | {
      result: DecoderTasks[T]
      /** The memory that the decoder takes afterwards. */
      residentBytes: number
    }
  | { unprocessable: string }
  | { error: string }

/** What a decoder sends before its result when a second decoder is given a HEIF that the first one has refused. */
export const HEIF_FALLBACK = 'heif-fallback'

/** What a decoder sends before it decodes a large file. It goes on when the worker has answered `LARGE_FILE_ALLOWED`. */
export const LARGE_FILE = 'large-file'
export const LARGE_FILE_ALLOWED = 'large-file-allowed'

/** What a decoder tells its worker while it decodes. */
export interface DecoderReports {
  /** A second decoder is given a HEIF that the first one has refused. */
  heifFallback: () => void
  /** The file is a large one. Resolves when the limit on memory has been raised for it. */
  largeFile: () => Promise<void>
}

/** The exit status of a decoder that has exceeded its limit on memory. */
export const MEMORY_EXCEEDED_STATUS = 77
/** The exit status of a decoder that has exceeded `cpuTimeLimitMs`. */
export const CPU_TIME_EXCEEDED_STATUS = 78

/** The file cannot be processed, and retrying does not help. The message is shown to people. */
export class UnprocessableMediaError extends Error {
  override name = 'UnprocessableMediaError'
}

/** The decoder ended without a result. The cause may be the file or the machine. */
export class DecoderCrashError extends Error {
  override name = 'DecoderCrashError'
}
