import type { blobNames, MediaType, Transfer } from '@confetti/contracts'
import type { ArchivedFile } from './archives/entries.ts'
import type { ByteRange } from './archives/zip-layout.ts'
import type { Ticket } from './sending/tickets.ts'
import type { StoredUpload } from './upload.ts'

/** Links to read that are signed within the same step are equal, so that browsers can cache pictures. */
export const LINK_STEP_MS = 5 * 60_000

/** A block of a file that is sent in blocks. */
export interface BlockDescriptor {
  id: string
  /** In bytes. */
  size: number
}

/** An original in blob storage, which guests' links can't change any more. */
interface Original {
  /** In bytes. */
  size: number
  /** The first bytes, enough to detect the type. */
  head: Buffer
  /** MD5 in base64, computed by blob storage. Absent if the file was sent in blocks. */
  contentMd5: string | undefined
  /** Identifies this version of the blob. */
  etag: string
}

/** Links to the images of an upload, and to the rendition of a video if there is one. */
type PreviewLinks = Record<'thumbnailUrl' | 'previewUrl', string> & { videoUrl?: string }

/** The same and a link to its original. */
type ReadLinks = PreviewLinks & { url: string }

/** What direct uploads need of blob storage. Every method throws `unavailable` if blob storage fails. */
export interface DirectBlobs {
  /** Signs a link for sending the file of a ticket, which expires at `expiresAt`. */
  createTransfer: (ticket: Ticket, expiresAt: Date) => Transfer
  /** The blocks of an upload that have arrived. */
  listReceived: (uploadId: string) => Promise<BlockDescriptor[]>
  /** Makes the original from its blocks, unless it exists already. False if a block is missing. */
  assemble: (uploadId: string, blocks: readonly BlockDescriptor[]) => Promise<boolean>
  /** Reads the head of an original; undefined if there is none. */
  readOriginal: (uploadId: string) => Promise<Original | undefined>
  /**
   * The SHA-256 of the bytes of this version of an original, as hexadecimal digits. Throws `unavailable` at once if many are
   * being computed.
   */
  hashOriginal: (uploadId: string, etag: string) => Promise<string>
  /** Removes this version of an original; does nothing if it has been replaced. */
  removeOriginalVersion: (uploadId: string, etag: string) => Promise<void>
  /** Removes the blocks of an upload after they were committed. */
  removeCommittedBlocks: (uploadId: string) => Promise<void>
}

/** What archives need of blob storage. Every method throws `unavailable` if blob storage fails. */
export interface ArchiveBlobs {
  /** Reads a range of an original, or of another file of the upload. Throws if it does not have these bytes. */
  readRange: (uploadId: string, range: ByteRange, signal: AbortSignal, file?: ArchivedFile) => Promise<Buffer>
  /** The size of the rendition of a video, and its CRC-32; undefined if there is none. */
  measureRendition: (uploadId: string) => Promise<{ size: number; crc32: number } | undefined>
  /** Reads an original of `size` bytes and returns its CRC-32. */
  computeCrc32: (uploadId: string, size: number) => Promise<number>
}

/** What an upload may have once it is stored. */
export type UploadFile = Exclude<keyof typeof blobNames, 'folder' | 'staging'>

/** The blobs of uploads: originals, what the media worker makes of them, and staged blocks of direct uploads. */
export interface UploadBlobs extends DirectBlobs, ArchiveBlobs {
  /**
   * Stores the original of an upload that is sent in a form, from `buffer`, and resolves when all of it is durable. Throws
   * `unavailable` if that fails.
   */
  writeOriginal: (
    uploadId: string,
    chunks: AsyncIterable<Buffer>,
    options: { contentType: MediaType; buffer: Buffer },
  ) => Promise<void>
  /** Signed links that are valid for some minutes. The original's link makes the browser download it. */
  createReadLinks: (
    upload: Pick<StoredUpload, '_id' | 'filename' | 'contentType' | 'hasRendition'>,
    now: Date,
  ) => ReadLinks
  /** Signed links for guests, which are valid as long. */
  createPreviewLinks: (upload: Pick<StoredUpload, '_id' | 'hasRendition'>, now: Date) => PreviewLinks
  /** Reads the preview of an upload, of some 100 kB. Throws `unavailable` if that fails. */
  readPreview: (uploadId: string) => Promise<Buffer>
  /** A signed link that makes the browser save a copy, valid as long; none without a copy. */
  createSaveLink: (
    upload: Pick<StoredUpload, '_id' | 'contentType' | 'hasRendition' | 'copy' | 'photoCredit'> &
      Pick<StoredUpload, 'takenAt' | 'uploadedAt'>,
    now: Date,
  ) => { saveUrl?: string }
  /** The ids of uploads that start with `prefix` and have blobs, committed or not. */
  idsWithBlobs: (prefix: string) => AsyncIterable<string>
  /** The ids of uploads that start with `prefix` and have staged blocks of a direct upload. */
  idsWithStaged: (prefix: string) => AsyncIterable<string>
  /** The time that `replaceHighWaterMark` has written last; undefined if it has not. */
  readHighWaterMark: () => Promise<Date | undefined>
  /** Writes when the service last wrote to its database. False if the time is not `before` any more. */
  replaceHighWaterMark: (before: Date | undefined, at: Date) => Promise<boolean>
  /** Removes files of an upload; false if one is left. */
  removeFiles: (uploadId: string, files: readonly UploadFile[]) => Promise<boolean>
  /** Removes all blobs of an upload but staged ones, including uncommitted blocks; false if one is left. */
  removeAll: (uploadId: string) => Promise<boolean>
  /** Removes the staged blocks of a direct upload, including uncommitted ones; false if they are left. */
  removeStaged: (uploadId: string) => Promise<boolean>
}
