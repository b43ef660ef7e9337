import { changeMany } from '@confetti/service-kit'
import type { QueryFilter } from 'mongoose'
import type { UploadDocument, UploadModel } from './upload-model.ts'

/** What is left of deleted uploads, and the uploads of deleted events. */
export const createErasureStore = (model: UploadModel) => {
  const listIds = async (filter: QueryFilter<UploadDocument>, limit: number): Promise<string[]> => {
    const documents = await model.find(filter, { _id: 1 }).limit(limit).lean()
    return documents.map(({ _id }) => _id.toHexString())
  }

  return {
    /** At most `limit` ids of uploads that were deleted before `before` and whose messages have been published. */
    listDeleted: (before: Date, limit: number): Promise<string[]> =>
      listIds({ deleted: true, outboxPending: false, deletedAt: { $lt: before } }, limit),

    /** At most `limit` ids of an event's uploads, deleted or not, whose messages have been published. */
    listOfEvent: (eventId: string, limit: number): Promise<string[]> =>
      listIds({ eventId, outboxPending: false }, limit),

    /** Whether an event has uploads with messages to be published. */
    hasWaiting: async (eventId: string): Promise<boolean> =>
      (await listIds({ eventId, outboxPending: true }, 1)).length > 0,

    /** Removes the records of uploads, except of those that have got a message to be published. */
    removeRecords: async (ids: readonly string[]): Promise<void> => {
      const changes = ids.map((id) => ({ deleteOne: { filter: { _id: id, outboxPending: false } } }))
      await changeMany(model, changes)
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
