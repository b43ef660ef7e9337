import type { Derivatives } from '../storage/blob-store.ts'
import type { Measures } from '../storage/job-model.ts'
import type { Programs } from './programs.ts'

// What the worker and its decoders say to each other. Apart from both, so that a decoder loads no more than it
// needs: it starts anew for each file.

export interface DecodeLimits {
  maxMegapixels: number
  memoryBytes: number
  /** Of processor time. */
  timeLimitMs: number
}

export interface DecodeJob extends DecodeLimits {
  file: string
  /** Where the decoder may write. */
  folder: string
  video: boolean
  programs: Programs
}

export interface Decoded extends Derivatives {
  measures: Measures
}

export type DecoderAnswer = { decoded: Decoded } | { problem: string } | { error: string }

/** With this status a decoder ends that has outgrown its memory. */
export const OUT_OF_MEMORY_STATUS = 77
/** With this status a decoder ends that has used up its time. */
export const OUT_OF_TIME_STATUS = 78
