import { isVideo } from '@confetti/contracts'
import { addToOutbox, newMessage } from '@confetti/messaging'
import type { UploadStore } from '../upload.ts'
import type { UploadDocument, UploadModel } from './upload-model.ts'

interface Deps {
  model: UploadModel
  wakeRelay: () => void
}

/** Requests of renditions whose messages may be lost. */
export const createRenditionRequests = ({
  model,
  wakeRelay,
}: Deps): Pick<UploadStore, 'listOverdueRenditions' | 'requestRendition' | 'markRenditionsOverdue'> => ({
  listOverdueRenditions: async (now, limit) => {
    const documents = await model
      .find({ renditionDueAt: { $lte: now }, hasRendition: null, deleted: false }, { outbox: 0 })
      .limit(limit)
      .lean()
    return documents.flatMap(({ _id, contentType, size, renditionRequests, renditionRequestedAt }) =>
      isVideo(contentType)
        ? {
            request: { uploadId: _id.toHexString(), contentType, size },
            requests: renditionRequests ?? 0,
            requestedAt: renditionRequestedAt,
          }
        : [],
    )
  },

  requestRendition: async ({ request, requests, requestedAt: before }, { requestedAt, dueAt }) => {
    const set = {
      renditionRequestedAt: requestedAt,
      renditionRequests: requests + 1,
      ...(dueAt && { renditionDueAt: dueAt }),
    }
    await model.updateOne(
      { _id: request.uploadId, deleted: false, hasRendition: null, renditionRequestedAt: before ?? null },
      {
        ...addToOutbox<UploadDocument>(set, newMessage('media.rendition-requested.v1', request)),
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
