import { changeMany } from '@confetti/service-kit'
import type { QueryFilter } from 'mongoose'
import { deletion, type UploadDocument, type UploadModel } from './upload-model.ts'

/** What is left of deleted uploads, and the uploads of deleted events. */
export const createErasureStore = (model: UploadModel, wakeRelay: () => void) => {
  const listIds = async (filter: QueryFilter<UploadDocument>, limit: number): Promise<string[]> => {
    const documents = await model.find(filter, { _id: 1 }).limit(limit).lean()
    return documents.map(({ _id }) => _id.toHexString())
  }

  return {
    /** At most `limit` ids of uploads that were deleted before `before` and whose messages have been published. */
    listDeleted: (before: Date, limit: number): Promise<string[]> =>
      listIds({ deleted: true, outboxPending: false, deletedAt: { $lt: before } }, limit),

    /** At most `limit` ids of an event's uploads. */
    listIdsOfEvent: (eventId: string, limit: number): Promise<string[]> =>
      listIds({ eventId, deleted: false }, limit),

    /** Marks these uploads of an event as deleted, each together with its `upload.deleted` message. */
    markAllDeleted: async (eventId: string, ids: readonly string[], at: Date): Promise<void> => {
      const changes = ids.map((id) => ({
        updateOne: { filter: { _id: id, deleted: false }, update: deletion(id, eventId, at) },
      }))
      await changeMany(model, changes)
      if (ids.length > 0) wakeRelay()
    },

    /**
     * At most `limit` ids of an event's deleted uploads whose messages have been published, and the number of those, up to
     * `limit`, whose messages wait.
     */
    listDeletedIds: async (
      eventId: string,
      limit: number,
    ): Promise<{ published: string[]; waiting: number }> => {
      const published = await listIds({ eventId, deleted: true, outboxPending: false }, limit)
      const waiting = await listIds({ eventId, deleted: true, outboxPending: true }, limit)
      return { published, waiting: waiting.length }
    },

    /** Removes the records of deleted uploads. */
    removeDeleted: async (ids: readonly string[]): Promise<void> => {
      await model.deleteMany({ _id: { $in: ids }, deleted: true })
    },

    /** Whether an event has an upload with this hash, deleted or not. */
    hasBytes: async (eventId: string, sha256: string): Promise<boolean> =>
      (await model.exists({ eventId, sha256 })) !== null,

    /** Those of `ids` that have a record, deleted or not. */
    findRecorded: async (ids: readonly string[]): Promise<Set<string>> => {
      const documents = await model.find({ _id: { $in: ids } }, { _id: 1 }).lean()
      return new Set(documents.map(({ _id }) => _id.toHexString()))
    },
  }
}
