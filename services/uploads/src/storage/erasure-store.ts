import { changeMany } from '@confetti/service-kit'
import type { QueryFilter } from 'mongoose'
import type { UploadFile } from '../upload-blobs.ts'
import {
  deletion,
  findUploadIds,
  isKept,
  type OnDeleted,
  type UploadDocument,
  type UploadModel,
} from './upload-model.ts'

const filesOf = ({
  status,
  hasRendition,
  copy,
}: Pick<UploadDocument, 'status' | 'hasRendition' | 'copy'>): UploadFile[] => [
  'original',
  ...(status === 'ready' ? (['thumbnail', 'preview'] as const) : []),
  // Of a video with a rendition, `copy` describes that.
  ...(hasRendition ? (['rendition'] as const) : copy ? (['copy'] as const) : []),
]

/** What is left of deleted uploads, and the uploads of deleted events. */
export const createErasureStore = (
  model: UploadModel,
  { wakeRelay, onDeleted }: { wakeRelay: () => void; onDeleted: OnDeleted },
) => {
  const listIds = (filter: QueryFilter<UploadDocument>, limit: number): Promise<string[]> =>
    findUploadIds(model, filter, limit)

  return {
    /** At most `limit` ids of uploads that were taken back and can't be restored any more at `now`. */
    listDeletionsDue: (now: Date, limit: number): Promise<string[]> =>
      listIds({ deleted: true, deletionDueAt: { $lte: now } }, limit),

    /**
     * Marks an upload as deleted for good that was taken back and can't be restored any more at `now`, together with its
     * `upload.deleted` message. Does nothing if another replica has done it.
     */
    deleteTakenBack: async (id: string, now: Date): Promise<void> => {
      const due = { _id: id, deletionDueAt: { $lte: now } }
      const upload = await model.findOne(due, { eventId: 1, size: 1 }).lean()
      if (!upload) return
      const { modifiedCount } = await model.updateOne(due, deletion(id, upload.eventId, now))
      if (modifiedCount === 1) onDeleted(upload)
      wakeRelay()
    },

    /** At most `limit` ids of uploads that were deleted for good before `before` and whose messages have been published. */
    listDeleted: (before: Date, limit: number): Promise<string[]> =>
      listIds(
        { deleted: true, outboxPending: false, deletedAt: { $lt: before }, deletionDueAt: null },
        limit,
      ),

    /**
     * At most `limit` of an event's uploads, deleted or not, whose messages have been published: the files that their records
     * name, by their ids. What the media worker has just stored is not among these yet.
     */
    listOfEvent: async (eventId: string, limit: number): Promise<Map<string, UploadFile[]>> => {
      const uploads = await model
        .find({ eventId, outboxPending: false }, { status: 1, hasRendition: 1, copy: 1 })
        .limit(limit)
        .lean()
      return new Map(uploads.map((upload) => [upload._id.toHexString(), filesOf(upload)]))
    },

    /** Whether an event has uploads with messages to be published. */
    hasWaiting: async (eventId: string): Promise<boolean> =>
      (await listIds({ eventId, outboxPending: true }, 1)).length > 0,

    /** Removes the records of uploads, except of those that have got a message to be published. */
    removeRecords: async (ids: readonly string[]): Promise<void> => {
      const changes = ids.map((id) => ({ deleteOne: { filter: { _id: id, outboxPending: false } } }))
      await changeMany(model, changes)
    },

    /** The uploads of an event with this hash, which has been verified; of those deleted for good, when that was. */
    listByVerifiedHash: async (
      eventId: string,
      sha256: string,
    ): Promise<{ uploadId: string; deletedAt?: Date | undefined }[]> => {
      const fields = { deleted: 1, deletedAt: 1, deletionDueAt: 1 } as const
      const documents = await model.find({ eventId, sha256, isHashUnverified: null }, fields).lean()
      return documents.map((document) => ({
        uploadId: document._id.toHexString(),
        deletedAt: isKept(document) ? undefined : document.deletedAt,
      }))
    },

    /** Those of `ids` that have a record, deleted or not, with the event of each. */
    findRecorded: async (ids: readonly string[]): Promise<Map<string, string>> => {
      const documents = await model.find({ _id: { $in: ids } }, { eventId: 1 }).lean()
      return new Map(documents.map(({ _id, eventId }) => [_id.toHexString(), eventId]))
    },
  }
}
