import { newMessage } from '@confetti/messaging'
import { changeUntilWritten, type Clock } from '@confetti/service-kit'
import type { QueryFilter, UpdateQuery } from 'mongoose'
import { uploadBusy } from '../rejections.ts'
import type { StoredUpload } from '../upload.ts'
import {
  isKept,
  toStoredUpload,
  withoutOutbox,
  type UploadDocument,
  type UploadModel,
} from './upload-model.ts'

/** An upload as it is stored, without its outbox. */
export type Lean = Omit<UploadDocument, 'outbox'>

/** What to write, if anything, and what to return. */
interface Decision<R> {
  update?: UpdateQuery<UploadDocument> | undefined
  result: R
}

/** The message that an upload gets these fields: it has been processed, or others see it or do not see it any more. */
export const changedMessage = (
  before: Lean,
  after: Partial<StoredUpload>,
  { isTakenBack = before.deletionDueAt !== undefined }: { isTakenBack?: boolean } = {},
) => {
  const { _id, eventId, status, visibility } = { ...toStoredUpload(before), ...after }
  return newMessage('upload.changed.v1', {
    uploadId: _id,
    eventId,
    status,
    visibility,
    ...(isTakenBack && { isTakenBack }),
  })
}

/**
 * Creates a function that changes what others see of an upload, or who owns it: of one that matches `filter`, by a function
 * from what is stored; it returns undefined if there is none. One that has been taken back is changed like others, as it may
 * be restored. The function runs again if the upload has changed meanwhile, so that no message has a status or visibility of
 * the past.
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
    decide: (upload: Lean) => Decision<R> | Promise<Decision<R>>,
  ): Promise<R | undefined> => {
    const attempt = async (): Promise<{ outcome?: R } | undefined> => {
      // What is acknowledged because it is there already must be as durable as what is written for it.
      const upload = await model.findOne(filter, withoutOutbox).readConcern('majority').lean()
      if (!upload || !isKept(upload)) return {}
      const { update, result } = await decide(upload)
      if (!update) return { outcome: result }
      const { _id, status, visibility = null, hasRendition = null } = upload
      const { reports = null, isReportReviewed = null, contentKey } = upload
      const { ownersRevision = null, deleted, deletionDueAt = null } = upload
      const ofGuests = { reports, isReportReviewed, ownersRevision, deleted, deletionDueAt }
      const unchanged = { _id, status, visibility, hasRendition, contentKey, ...ofGuests }
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
