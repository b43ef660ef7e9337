import { isVideo } from '@confetti/contracts'
import { addToOutbox, auditMessage, newMessage } from '@confetti/messaging'
import { changeUntilWritten, type Clock } from '@confetti/service-kit'
import type { QueryFilter, UpdateQuery } from 'mongoose'
import { uploadBusy } from '../rejections.ts'
import type { StoredUpload, UploadStore } from '../upload.ts'
import {
  toStoredUpload,
  toStoredVisibility,
  uploadChanged,
  withoutOutbox,
  type UploadDocument,
  type UploadModel,
} from './upload-model.ts'

/** Requests of renditions whose messages may be lost. */
export const createRenditionRequests = (
  model: UploadModel,
  wakeRelay: () => void,
): Pick<UploadStore, 'listOverdueRenditions' | 'requestRendition' | 'markRenditionsOverdue'> => ({
  listOverdueRenditions: async (now, limit) => {
    const documents = await model
      .find({ renditionDueAt: { $lte: now }, hasRendition: null, deleted: false }, withoutOutbox)
      .limit(limit)
      .lean()
    return documents.flatMap(({ _id, contentType, size, renditionRequests, renditionRequestedAt }) =>
      isVideo(contentType)
        ? {
            message: { uploadId: _id.toHexString(), contentType, size },
            timesRequested: renditionRequests ?? 0,
            requestedAt: renditionRequestedAt,
          }
        : [],
    )
  },

  requestRendition: async ({ message, timesRequested, requestedAt: before }, { requestedAt, dueAt }) => {
    const set = {
      renditionRequestedAt: requestedAt,
      renditionRequests: timesRequested + 1,
      ...(dueAt && { renditionDueAt: dueAt }),
    }
    await model.updateOne(
      { _id: message.uploadId, deleted: false, hasRendition: null, renditionRequestedAt: before ?? null },
      {
        ...addToOutbox<UploadDocument>(set, newMessage('media.rendition-requested.v1', message)),
        ...(!dueAt && { $unset: { renditionDueAt: '' } }),
      },
    )
    wakeRelay()
  },

  markRenditionsOverdue: async (before, now) => {
    await model.updateMany(
      { renditionDueAt: { $ne: null }, deleted: false, renditionRequestedAt: { $lt: before } },
      { $set: { renditionDueAt: now, renditionRequests: 0 } },
    )
  },
})

type Update = UpdateQuery<UploadDocument>
type Lean = Omit<UploadDocument, 'outbox'>

/** What to write, if anything, and what to return. */
interface Decision<R> {
  update?: Update
  result: R
}

const changedMessage = (before: Lean, after: Partial<StoredUpload>) =>
  uploadChanged({ ...toStoredUpload(before), ...after })

/** The changes of what guests see of an upload. Each publishes `upload.changed`, if there is anything to publish. */
export const createUploadChanges = (
  model: UploadModel,
  {
    wakeRelay,
    clock,
    renditionTimeoutMs,
  }: {
    wakeRelay: () => void
    clock: Clock
    /** How long after its request a rendition is overdue. */
    renditionTimeoutMs: number
  },
): Pick<
  UploadStore,
  'setVisibility' | 'report' | 'markReady' | 'markRendered' | 'markFailed' | 'retryProcessing'
> => {
  /**
   * Changes an upload that matches `filter` by a function from what is stored; undefined if there is none. The function
   * runs again if the upload has changed meanwhile, so that no message has a status or visibility of the past.
   */
  const change = async <R>(
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
      const { matchedCount } = await model.updateOne(unchanged as QueryFilter<UploadDocument>, update)
      if (matchedCount === 0) return undefined
      wakeRelay()
      return { outcome: result }
    }
    return (await changeUntilWritten(attempt, uploadBusy)).outcome
  }

  /** The media worker requests the rendition of a video with the message that the video is ready. */
  const renditionFields = ({ contentType, hasRendition }: Lean): Partial<UploadDocument> => {
    if (!isVideo(contentType) || hasRendition) return {}
    const now = clock()
    return { renditionRequestedAt: now, renditionDueAt: new Date(now.getTime() + renditionTimeoutMs) }
  }

  return {
    setVisibility: async (eventId, id, visibility) => {
      const outcome = await change<'changed' | 'unchanged'>({ _id: id, eventId }, (upload) => {
        const { visibility: from } = toStoredUpload(upload)
        const review = visibility === 'visible' && upload.reports ? { isReportReviewed: true } : {}
        if (from === visibility)
          return { result: 'unchanged', ...(review.isReportReviewed && { update: { $set: review } }) }
        const audit = auditMessage({
          action: 'upload.visibility-changed',
          subject: { type: 'upload', id },
          eventId,
          details: { visibility: { from, to: visibility } },
        })
        const set = { visibility: toStoredVisibility(visibility), ...review }
        return { result: 'changed', update: addToOutbox(set, changedMessage(upload, { visibility }), audit) }
      })
      return outcome ?? 'not_found'
    },

    report: async (eventId, id, { guestId, maxReports }) => {
      const shown = { _id: id, eventId, status: 'ready', visibility: null } as const
      const outcome = await change<'counted' | 'pending' | 'ignored'>(shown, (upload) => {
        const { reports = [], isReportReviewed } = upload
        if (isReportReviewed || reports.includes(guestId)) return { result: 'ignored' }
        const all = [...reports, guestId]
        if (all.length < maxReports) return { result: 'counted', update: { $set: { reports: all } } }
        const visibility = 'pending'
        return {
          result: 'pending',
          update: addToOutbox({ reports: all, visibility }, changedMessage(upload, { visibility })),
        }
      })
      return outcome ?? 'not_found'
    },

    markReady: async ({ uploadId, sha256: _, ...metadata }) => {
      const status = 'ready'
      await change({ _id: uploadId }, (upload) => ({
        result: undefined,
        update:
          upload.status === status
            ? { $set: metadata }
            : {
                ...addToOutbox<UploadDocument>(
                  { ...metadata, status, ...renditionFields(upload) },
                  changedMessage(upload, { status }),
                ),
                $unset: { failureReason: '' },
              },
      }))
    },

    markRendered: async (uploadId) => {
      const set = { hasRendition: true }
      await change({ _id: uploadId, hasRendition: null }, (upload) => ({
        result: undefined,
        update: {
          ...(upload.status === 'ready'
            ? addToOutbox<UploadDocument>(set, changedMessage(upload, {}))
            : { $set: set }),
          $unset: { renditionDueAt: '' },
        },
      }))
    },

    markFailed: async ({ uploadId, reason, isFinal, crc32 }) => {
      const status = 'failed'
      const set = {
        status,
        failureReason: reason,
        ...(isFinal && { isFailureFinal: true }),
        ...(crc32 !== undefined && { crc32 }),
      }
      await change({ _id: uploadId, status: 'processing' }, (upload) => ({
        result: undefined,
        update: addToOutbox(set, changedMessage(upload, { status })),
      }))
    },

    retryProcessing: async (uploadId, processingDueAt) => {
      const status = 'processing'
      await change({ _id: uploadId, status: 'failed', isFailureFinal: null }, (upload) => ({
        result: undefined,
        update: {
          ...addToOutbox<UploadDocument>({ status, processingDueAt }, changedMessage(upload, { status })),
          $unset: { failureReason: '' },
        },
      }))
    },
  }
}
