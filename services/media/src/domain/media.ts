import type { MessageData } from '@confetti/contracts'

/** What is known of an upload before its original is read. */
export type Upload = Pick<MessageData<'upload.completed.v1'>, 'uploadId' | 'contentType' | 'size'>

export interface MediaMetadata {
  /** In pixels as displayed, after rotation. */
  width: number
  height: number
  durationSeconds?: number
  /** ISO 8601; without a zone if the file has none. */
  takenAt?: string
}

/** Of a whole original. */
export interface Checksums {
  /** In hexadecimal. */
  sha256: string
  /** As in ZIP entries: unsigned. */
  crc32: number
}

/** WebP images made from a photo, or from the poster of a video. */
export interface Derivatives {
  thumbnail: Uint8Array
  preview: Uint8Array
}
