import type { Checksums, Derivatives } from './media.ts'

export interface BlobStore {
  /**
   * Streams the original into a file and returns its checksums. Throws if there is none: it has been deleted just now,
   * or is lost.
   */
  downloadOriginal: (uploadId: string, file: string) => Promise<Checksums>
  putDerivatives: (uploadId: string, derivatives: Derivatives) => Promise<void>
  /** Stores the file of a rendition. */
  putRendition: (uploadId: string, file: string) => Promise<void>
  /** Removes the original and its derivatives, if there are any. */
  removeUpload: (uploadId: string) => Promise<void>
}
