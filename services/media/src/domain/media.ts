export interface MediaMetadata {
  /** In pixels as displayed, after rotation. */
  width: number
  height: number
  durationSeconds?: number
  /** ISO 8601; without a zone if the file has none. */
  takenAt?: string
}

/** WebP images made from a photo, or from the poster of a video. */
export interface Derivatives {
  thumbnail: Uint8Array
  preview: Uint8Array
}
