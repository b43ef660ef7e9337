import { changeUntilWritten, type Clock } from '@confetti/service-kit'
import type { QueryFilter, UpdateQuery } from 'mongoose'
import { uploadBusy } from '../rejections.ts'
import type { StoredUpload } from '../upload.ts'
import {
  toStoredUpload,
  uploadChanged,
  withoutOutbox,
  type UploadDocument,
  type UploadModel,
} from './upload-model.ts'

type Lean = Omit<UploadDocument, 'outbox'>

/** What to write, if anything, and what to return. */
interface Decision<R> {
  update?: UpdateQuery<UploadDocument>
  result: R
}

/** The `upload.changed` message of an upload that gets these fields. */
export const changedMessage = (before: Lean, after: Partial<StoredUpload>) =>
  uploadChanged({ ...toStoredUpload(before), ...after })

/**
 * Creates a function that changes what guests see of an upload: of one that matches `filter`, by a function from what is
 * stored; it returns undefined if there is none. The function runs again if the upload has changed meanwhile, so that no
 * message has a status or visibility of the past.
 */
export const createChangeUpload =
  (
    model: UploadModel,
    {
      wakeRelay,
      onChanged,
      clock,
    }: { wakeRelay: () => void; onChanged: (eventId: string) => void; clock: Clock },
  ) =>
  async <R>(
    filter: QueryFilter<UploadDocument>,
    decide: (upload: Lean) => Decision<R>,
  ): Promise<R | undefined> => {
    const attempt = async (): Promise<{ outcome?: R } | undefined> => {
      const upload = await model.findOne({ ...filter, deleted: false }, withoutOutbox).lean()
      if (!upload) return {}
      const { update, result } = decide(upload)
      if (!update) return { outcome: result }
      const { _id, status, visibility = null, hasRendition = null } = upload
      const { reports = null, isReportReviewed = null } = upload
      const unchanged = { _id, deleted: false, status, visibility, hasRendition, reports, isReportReviewed }
      const { matchedCount } = await model.updateOne(unchanged as QueryFilter<UploadDocument>, {
        ...update,
        $set: { ...update.$set, changedAt: clock() },
      })
      if (matchedCount === 0) return undefined
      onChanged(upload.eventId)
      wakeRelay()
      return { outcome: result }
    }
    return (await changeUntilWritten(attempt, uploadBusy)).outcome
  }
export type ChangeUpload = ReturnType<typeof createChangeUpload>
