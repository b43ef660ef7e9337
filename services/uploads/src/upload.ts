import type { MessageData, Upload, UploadResult, UploadTotal, UploadVisibility } from '@confetti/contracts'
import type { PageRequest, Position } from '@confetti/service-kit'

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
  'url' | 'thumbnailUrl' | 'previewUrl' | 'videoUrl' | 'uploadedAt' | 'visibility'
> & {
  uploadedAt: Date
  visibility: UploadVisibility
  /** Whether there is a rendition of the video. Absent: no. */
  hasRendition?: boolean | undefined
}
/** A file whose bytes have been stored. */
export type ArrivedUpload = Pick<
  StoredUpload,
  '_id' | 'eventId' | 'photoCredit' | 'originalName' | 'contentType' | 'size' | 'sha256' | 'uploadedAt'
> & {
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
    /** The guest who has sent it, and owns it: can list it and take it back. */
    guestId?: string
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

/** An upload whose processing should have ended. */
interface OverdueUpload extends Pick<StoredUpload, '_id' | 'eventId' | 'contentType' | 'size'> {
  /** How often its processing has been requested again. */
  timesRequested: number
  requestedAt: Date
}

/** A video whose rendition should be stored. */
interface OverdueRendition {
  /** What `media.rendition-requested` says. */
  message: MessageData<'media.rendition-requested.v1'>
  /** How often it has been requested again. */
  timesRequested: number
  requestedAt: Date | undefined
}

/** What of an upload an archive needs. */
export interface ArchivableUpload extends Pick<
  StoredUpload,
  '_id' | 'filename' | 'photoCredit' | 'size' | 'takenAt' | 'uploadedAt'
> {
  /** CRC-32 of the original; absent until it has been computed. */
  crc32?: number | undefined
}

export interface UploadPage {
  uploads: StoredUpload[]
  /** The position after which the next page starts. */
  next?: Position
}

export interface UploadStore {
  /**
   * Stores new uploads, each together with its `upload.completed` message, and returns what became of each, in order. If
   * an event already has the same bytes under the same credit, nothing is stored for them, and the guest becomes an owner
   * of that upload. The file name is the one that the guest's file had, made unique in its event.
   */
  add: (uploads: readonly NewUpload[]) => Promise<AddedUpload[]>
  /** The uploads with these ids, deleted or not. */
  findByIds: (uploadIds: readonly string[]) => Promise<StoredUpload[]>
  /** An upload of this event that guests can see and that has been processed. */
  findVisible: (eventId: string, uploadId: string) => Promise<StoredUpload | undefined>
  /** The uploads of an event with this credit and with one of these hashes, which have been verified. */
  findByHash: (eventId: string, photoCredit: string, sha256s: readonly string[]) => Promise<StoredUpload[]>
  /** One page of an event's uploads, newest first. */
  list: (eventId: string, request: PageRequest) => Promise<UploadPage>
  /** One page of an event's uploads that guests can see and that have been processed, newest first. */
  listVisible: (eventId: string, request: PageRequest) => Promise<UploadPage>
  /** One page of what a guest owns in an event, newest first. */
  listByGuest: (eventId: string, guestId: string, request: PageRequest) => Promise<UploadPage>
  /** The total of an event's uploads. Concurrent calls for one event share one query. */
  total: (eventId: string) => Promise<UploadTotal>
  /** All uploads of an event, in no order. */
  listForArchive: (eventId: string) => Promise<ArchivableUpload[]>
  /** The ids of an event's uploads that were deleted at `since` or later; those of the last day at least. */
  listDeletedSince: (eventId: string, since: Date) => Promise<string[]>
  /** Stores the CRC-32 of an upload's original. */
  setCrc32: (uploadId: string, crc32: number) => Promise<void>
  /**
   * Marks an upload as deleted, together with its `upload.deleted` message and its entry in the audit log; false if there is
   * none, in this event if one is given.
   */
  markDeleted: (uploadId: string, at: Date, eventId?: string) => Promise<boolean>
  /** Makes guests owners of an upload, too; false if there is none, or if it was deleted. */
  addOwners: (uploadId: string, guestIds: readonly string[]) => Promise<boolean>
  /**
   * Makes a guest no owner any more. Marks the upload as deleted, together with its `upload.deleted` message, when its last
   * owner takes it back. False if the guest does not own such an upload.
   */
  takeBack: (uploadId: string, guestId: string, at: Date) => Promise<boolean>
  /**
   * Makes the owners of an upload owners of another one, and marks the upload as deleted, together with its
   * `upload.deleted` message; false if one of them is gone.
   */
  mergeInto: (uploadId: string, otherId: string, at: Date) => Promise<boolean>
  /**
   * Sets whether guests see an upload of an event, together with its `upload.changed` message and its entry in the audit
   * log. Nothing is written for one that has this visibility already.
   */
  setVisibility: (
    eventId: string,
    uploadId: string,
    visibility: UploadVisibility,
  ) => Promise<'changed' | 'unchanged' | 'not_found'>
  /**
   * Counts the report of a guest, once each, about an upload that guests can see. With the last one of `maxReports` it
   * becomes pending, together with its `upload.changed` message, unless an organiser has shown it after a report.
   */
  report: (
    eventId: string,
    uploadId: string,
    options: { guestId: string; maxReports: number },
  ) => Promise<'counted' | 'pending' | 'ignored' | 'not_found'>
  /**
   * Marks an upload as ready and stores its metadata, together with its `upload.changed` message if it was not ready; a
   * deleted upload stays deleted.
   */
  markReady: (result: MessageData<'media.processed.v1'>) => Promise<void>
  /** Records that the rendition of a video is stored, together with its `upload.changed` message if the video is ready. */
  markRendered: (uploadId: string) => Promise<void>
  /** Marks an upload that is still processing as failed, together with its `upload.changed` message. */
  markFailed: (result: MessageData<'media.failed.v1'>) => Promise<void>
  /** An upload whose hash is only declared; undefined if it was deleted or its hash has been verified. */
  findUnverified: (uploadId: string) => Promise<StoredUpload | undefined>
  /** Stores the verified hash of an upload. False if the event already has an upload with it under the same credit. */
  setHash: (upload: Pick<StoredUpload, '_id' | 'eventId' | 'photoCredit'>, sha256: string) => Promise<boolean>
  /** At most `limit` uploads whose processing is overdue at `now`. */
  listOverdue: (now: Date, limit: number) => Promise<OverdueUpload[]>
  /** Publishes `upload.completed` again, unless the upload has been processed or requested again meanwhile. */
  requestProcessing: (overdue: OverdueUpload, next: { requestedAt: Date; dueAt: Date }) => Promise<void>
  /** Makes processing due at `now` that was last requested before `before`, and counts its requests from the start. */
  markOverdue: (before: Date, now: Date) => Promise<void>
  /** At most `limit` HEIC photos that have failed in a worker with one decoder for them. */
  listRetryable: (limit: number) => Promise<OverdueUpload[]>
  /**
   * Marks a failed upload as processing, and requests this again at `dueAt`, together with its `upload.changed` message;
   * nothing is written if its failure is final.
   */
  retryProcessing: (uploadId: string, dueAt: Date) => Promise<void>
  /** At most `limit` videos that are ready and whose rendition is overdue at `now`. */
  listOverdueRenditions: (now: Date, limit: number) => Promise<OverdueRendition[]>
  /**
   * Publishes `media.rendition-requested`, for the last time if there is no `dueAt`, unless the rendition has been stored
   * or requested again meanwhile.
   */
  requestRendition: (
    overdue: OverdueRendition,
    next: { requestedAt: Date; dueAt: Date | undefined },
  ) => Promise<void>
  /** Makes renditions due at `now` that were last requested before `before`, and counts their requests from the start. */
  markRenditionsOverdue: (before: Date, now: Date) => Promise<void>
  /** At most `limit` ids of uploads that were deleted before `before` and whose messages have been published. */
  listDeleted: (before: Date, limit: number) => Promise<string[]>
  /** At most `limit` ids of an event's uploads. */
  listIdsOfEvent: (eventId: string, limit: number) => Promise<string[]>
  /** Marks these uploads of an event as deleted, each together with its `upload.deleted` message. */
  markAllDeleted: (eventId: string, uploadIds: readonly string[], at: Date) => Promise<void>
  /**
   * At most `limit` ids of an event's deleted uploads whose messages have been published, and the number of those, up to
   * `limit`, whose messages wait.
   */
  listDeletedIds: (eventId: string, limit: number) => Promise<{ published: string[]; waiting: number }>
  /** Removes the records of deleted uploads. */
  removeDeleted: (uploadIds: readonly string[]) => Promise<void>
  /** Those of `uploadIds` that have a record, deleted or not. */
  findRecorded: (uploadIds: readonly string[]) => Promise<Set<string>>
}
