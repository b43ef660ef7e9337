import type { MessageData, Upload, UploadResult, UploadVisibility } from '@confetti/contracts'
import type { Capture } from './capture-time.ts'

/** How long the record of a deleted upload stays at least. */
export const DELETED_KEPT_MS = 24 * 3_600_000

/** `originalName` is the name that the file had this time, which for a duplicate may differ. */
export const toUploadResult = (
  { upload: { _id, contentType, size, sha256 }, kind }: AddedUpload,
  originalName: string,
): UploadResult => ({
  _id,
  originalName,
  contentType,
  size,
  sha256,
  duplicate: kind === 'duplicate',
})

/** An upload as it is stored: an upload of the API without its links. */
export type StoredUpload = Omit<
  Upload,
  'url' | 'thumbnailUrl' | 'previewUrl' | 'videoUrl' | 'saveUrl' | 'uploadedAt' | 'visibility'
> & {
  uploadedAt: Date
  visibility: UploadVisibility
  /** Whether there is a rendition of the video. Absent: no. */
  hasRendition?: boolean | undefined
  /** What guests can save of it: the copy of a photo, or the rendition of a video if its size is known. */
  copy?: MessageData<'media.copied.v1'>['copy'] | undefined
}
/** A file whose bytes have been stored. */
export type ArrivedUpload = Pick<
  StoredUpload,
  | '_id'
  | 'eventId'
  | 'photoCredit'
  | 'originalName'
  | 'contentType'
  | 'size'
  | 'sha256'
  | 'uploadedAt'
  | 'consent'
> & {
  /** When the file last changed on the guest's device, as that says: in milliseconds since 1970. */
  lastModified?: number
  /**
   * Present if `sha256` is only declared by the guest, not verified: what identifies the bytes meanwhile. It must not be
   * a value that a guest can choose, as it would keep out other files with the same value.
   */
  provisionalIdentity?: string
  /** The trace that the upload belongs to, if it is not the active one. */
  traceparent?: string
}
export type NewUpload = ArrivedUpload &
  Pick<StoredUpload, 'visibility'> & {
    /** Whether its event lets guests save copies. */
    save?: 'copy'
    /** The time zone of its event. */
    timeZone?: string | undefined
    /** The guest who has sent it, and owns it: can list it and take it back. */
    guestId?: string
  }

/** An upload of which something has changed that its lists show. */
export type ChangedUpload = StoredUpload & {
  /** In milliseconds since 1970. */
  changedAt: number
  isDeleted: boolean
  /** The guests who have sent it, as far as they are known. */
  owners: readonly string[]
  /** Whether guests have become or stopped being owners. */
  hadOtherOwners: boolean
}

/** What became of a new upload. */
export interface AddedUpload {
  upload: StoredUpload
  /**
   * `repeated`: it was added by an earlier call with the same id. `duplicate`: the event already had the same bytes under
   * the same credit, as `upload`.
   */
  kind: 'new' | 'repeated' | 'duplicate'
}

/** What of an upload an archive needs. */
export interface ArchivableUpload extends Pick<StoredUpload, '_id' | 'filename' | 'photoCredit' | 'size'> {
  capture: Capture
  /** CRC-32 of the original; absent until it has been computed. */
  crc32?: number | undefined
}
