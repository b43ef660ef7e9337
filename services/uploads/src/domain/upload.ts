import type { MessageData, Upload, UploadTotal } from '@confetti/contracts'
import type { PageRequest, Position } from '@confetti/service-kit'

/** An upload as it is stored: an upload of the API without its links. */
export type StoredUpload = Omit<Upload, 'url' | 'thumbnailUrl' | 'previewUrl' | 'uploadedAt'> & {
  uploadedAt: Date
}
export type NewUpload = Pick<
  StoredUpload,
  '_id' | 'eventId' | 'photoCredit' | 'originalName' | 'contentType' | 'size' | 'sha256' | 'uploadedAt'
>

/** An upload whose processing should have ended. */
interface OverdueUpload extends Pick<StoredUpload, '_id' | 'eventId' | 'contentType' | 'size'> {
  /** How often its processing has been requested again. */
  requests: number
  requestedAt: Date | undefined
}

export interface UploadStore {
  /**
   * Stores a new upload together with its `upload.completed` message. If the event already has the same bytes under
   * the same credit, it returns that upload, with `added` false, and stores nothing. The file name is the one that the
   * guest's file had, made unique in its event.
   */
  add: (upload: NewUpload) => Promise<{ upload: StoredUpload; added: boolean }>
  /** One page of an event's uploads, newest first, and the position after which the next page starts. */
  list: (eventId: string, request: PageRequest) => Promise<{ uploads: StoredUpload[]; next?: Position }>
  /** The total of an event's uploads. Concurrent calls for one event share one query. */
  total: (eventId: string) => Promise<UploadTotal>
  /** Marks an upload as deleted, together with its `upload.deleted` message; false if there is none. */
  markDeleted: (uploadId: string, at: Date) => Promise<boolean>
  /** Marks an upload as ready and stores its metadata; a deleted upload stays deleted. */
  markReady: (result: MessageData<'media.processed.v1'>) => Promise<void>
  /** Marks an upload that is still processing as failed. */
  markFailed: (result: MessageData<'media.failed.v1'>) => Promise<void>
  /** At most `limit` uploads whose processing is overdue at `now`. */
  listOverdue: (now: Date, limit: number) => Promise<OverdueUpload[]>
  /** Publishes `upload.completed` again, unless the upload has been processed or requested again meanwhile. */
  requestProcessing: (overdue: OverdueUpload, next: { requestedAt: Date; dueAt: Date }) => Promise<void>
  /** Makes uploads overdue at `now`, as if never requested again, whose processing was last requested before `before`. */
  markOverdue: (before: Date, now: Date) => Promise<void>
  /** At most `limit` ids of uploads that were deleted before `before` and whose messages have been published. */
  listDeleted: (before: Date, limit: number) => Promise<string[]>
  /** Removes the records of deleted uploads. */
  removeDeleted: (uploadIds: readonly string[]) => Promise<void>
  /** Those of `uploadIds` that have a record, deleted or not. */
  findExisting: (uploadIds: readonly string[]) => Promise<Set<string>>
}
