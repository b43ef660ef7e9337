import type { QueryFilter } from 'mongoose'
import type { ChangedUpload } from '../upload.ts'
import { toStoredUpload, withoutOutbox, type UploadDocument, type UploadModel } from './upload-model.ts'

/** What has changed among the uploads of an event. */
export const createFeedStore = (model: UploadModel) => {
  const list =
    (filter: QueryFilter<UploadDocument>) =>
    async (eventId: string, after: Date, limit: number): Promise<ChangedUpload[]> => {
      const documents = await model
        .find({ eventId, changedAt: { $gt: after }, ...filter }, withoutOutbox)
        .sort({ changedAt: -1, _id: -1 })
        .limit(limit)
        .lean()
      return documents.map((document) => ({
        ...toStoredUpload(document),
        changedAt: document.changedAt?.getTime() ?? 0,
        isDeleted: document.deleted,
        owners: [document.guestId ?? []].flat(),
        hadOtherOwners: (document.ownersRevision ?? 0) > 0,
      }))
    }
  return {
    /** At most `limit` of an event's uploads that have changed after a time, deleted ones too, the latest change first. */
    listChanged: list({}),
    /** The same of uploads that have been processed. No upload is processed again once it is ready. */
    listChangedProcessed: list({ status: { $ne: 'processing' } }),
  }
}
