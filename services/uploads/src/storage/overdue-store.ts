import { isVideo, mediaTypeRows, PROCESSING_CRASHED, type MessageData } from '@confetti/contracts'
import { addToOutbox, newMessage } from '@confetti/messaging'
import type { StoredUpload } from '../upload.ts'
import { changedMessage, type ChangeUpload } from './change-upload.ts'
import {
  captureOf,
  kept,
  toCopyMetadata,
  toStoredUpload,
  uploadCompleted,
  withoutOutbox,
  type UploadDocument,
  type UploadModel,
} from './upload-model.ts'

/** An upload whose processing should have ended. */
interface OverdueUpload extends Pick<StoredUpload, '_id' | 'eventId' | 'contentType' | 'size'> {
  /** How often its processing has been requested again. */
  timesRequested: number
  requestedAt: Date
}

/** The rendition of a video, or the copy of a photo, that should be stored. */
interface OverdueFile<Request extends 'media.rendition-requested.v1' | 'media.copy-requested.v1'> {
  _id: string
  /** What the message says that requests it alone. */
  message: MessageData<Request>
  /** How often that was published. */
  timesRequested: number
  requestedAt: Date | undefined
}
type OverdueRendition = OverdueFile<'media.rendition-requested.v1'>
type OverdueCopy = OverdueFile<'media.copy-requested.v1'>

const toOverdueUpload = (document: UploadDocument): OverdueUpload => ({
  ...toStoredUpload(document),
  timesRequested: document.processingRequests ?? 0,
  requestedAt: document.processingRequestedAt,
})

const videoTypes = mediaTypeRows.map(({ type }) => type).filter(isVideo)

/** Uploads that only decoders before `decoderVersion` have refused, without crashing. */
const refusedBefore = (decoderVersion: number) => ({
  status: 'failed' as const,
  failureReason: { $ne: PROCESSING_CRASHED },
  $or: [{ decoderVersion: null }, { decoderVersion: { $lt: decoderVersion } }],
})

/** Requests to the media worker whose messages may be lost. */
export const createOverdueStore = (
  model: UploadModel,
  { change, wakeRelay }: { change: ChangeUpload; wakeRelay: () => void },
) => ({
  /** At most `limit` uploads whose processing is overdue at `now`. */
  listOverdue: async (now: Date, limit: number): Promise<OverdueUpload[]> => {
    const documents = await model
      .find({
        status: 'processing',
        deleted: false,
        outboxPending: false,
        processingDueAt: { $lte: now },
      })
      .limit(limit)
      .lean()
    return documents.map(toOverdueUpload)
  },

  /** At most `limit` uploads that only decoders before `decoderVersion` have refused, without crashing. */
  listRefused: async (decoderVersion: number, limit: number): Promise<OverdueUpload[]> => {
    const documents = await model
      .find({ ...refusedBefore(decoderVersion), deleted: false })
      .limit(limit)
      .lean()
    return documents.map(toOverdueUpload)
  },

  /**
   * Marks an upload that only decoders before `decoderVersion` have refused as processing, which is requested again at
   * `dueAt`, together with its `upload.changed` message.
   */
  retryProcessing: async (
    uploadId: string,
    { decoderVersion, dueAt }: { decoderVersion: number; dueAt: Date },
  ): Promise<void> => {
    const status = 'processing'
    await change({ _id: uploadId, ...refusedBefore(decoderVersion) }, (upload) => ({
      result: undefined,
      update: {
        ...addToOutbox<UploadDocument>(
          { status, processingDueAt: dueAt },
          changedMessage(upload, { status }),
        ),
        $unset: { failureReason: '' },
      },
    }))
  },

  /** Publishes `upload.completed` again, unless the upload has been processed or requested again meanwhile. */
  requestProcessing: async (
    overdue: OverdueUpload,
    { requestedAt, dueAt }: { requestedAt: Date; dueAt: Date },
  ): Promise<void> => {
    await model.updateOne(
      {
        _id: overdue._id,
        status: 'processing',
        deleted: false,
        processingRequestedAt: overdue.requestedAt,
      },
      addToOutbox(
        {
          processingRequestedAt: requestedAt,
          processingRequests: overdue.timesRequested + 1,
          processingDueAt: dueAt,
        },
        uploadCompleted(overdue),
      ),
    )
    wakeRelay()
  },

  /** At most `limit` videos that are ready and whose rendition is overdue at `now`. */
  listOverdueRenditions: async (now: Date, limit: number): Promise<OverdueRendition[]> => {
    const documents = await model
      .find({ renditionDueAt: { $lte: now }, hasRendition: null, deleted: false }, withoutOutbox)
      .limit(limit)
      .lean()
    return documents.flatMap(({ _id, contentType, size, renditionRequests, renditionRequestedAt }) => {
      if (!isVideo(contentType)) return []
      const uploadId = _id.toHexString()
      return {
        _id: uploadId,
        message: { uploadId, contentType, size },
        timesRequested: renditionRequests ?? 0,
        requestedAt: renditionRequestedAt,
      }
    })
  },

  /**
   * Publishes `media.rendition-requested`, for the last time if there is no `dueAt`, unless the rendition has been stored
   * or requested again meanwhile.
   */
  requestRendition: async (
    { _id, message, timesRequested, requestedAt: before }: OverdueRendition,
    { requestedAt, dueAt }: { requestedAt: Date; dueAt: Date | undefined },
  ): Promise<void> => {
    const set = {
      renditionRequestedAt: requestedAt,
      renditionRequests: timesRequested + 1,
      ...(dueAt && { renditionDueAt: dueAt }),
    }
    await model.updateOne(
      { _id, deleted: false, hasRendition: null, renditionRequestedAt: before ?? null },
      {
        ...addToOutbox<UploadDocument>(set, newMessage('media.rendition-requested.v1', message)),
        ...(!dueAt && { $unset: { renditionDueAt: '' } }),
      },
    )
    wakeRelay()
  },

  /**
   * Marks the copies of an event's photos as due at `now` that were never asked for: also of those that are not ready yet, or
   * may be restored, as nobody looks again. Returns how many.
   */
  markCopiesDue: async (eventId: string, now: Date): Promise<number> => {
    const { modifiedCount } = await model.updateMany(
      {
        eventId,
        ...kept,
        contentType: { $nin: videoTypes },
        copy: null,
        copyDueAt: null,
        copyRequests: null,
      },
      { $set: { copyDueAt: now } },
    )
    return modifiedCount
  },

  /** At most `limit` photos that are ready and whose copy is overdue at `now`. */
  listOverdueCopies: async (now: Date, limit: number): Promise<OverdueCopy[]> => {
    const documents = await model
      .find({ copyDueAt: { $lte: now }, copy: null, status: 'ready', deleted: false }, withoutOutbox)
      .sort({ copyDueAt: 1 })
      .limit(limit)
      .lean()
    return documents.flatMap((document) => {
      const { _id, contentType, size, photoCredit, copyRequests, copyRequestedAt } = document
      if (isVideo(contentType)) return []
      const uploadId = _id.toHexString()
      const copy = toCopyMetadata(photoCredit, captureOf(document))
      return {
        _id: uploadId,
        message: { uploadId, contentType, size, copy },
        timesRequested: copyRequests ?? 0,
        requestedAt: copyRequestedAt,
      }
    })
  },

  /**
   * Publishes `media.copy-requested`, for the last time if there is no `dueAt`, unless the copy has been stored or requested
   * again meanwhile.
   */
  requestCopy: async (
    { _id, message, timesRequested, requestedAt: before }: OverdueCopy,
    { requestedAt, dueAt }: { requestedAt: Date; dueAt: Date | undefined },
  ): Promise<void> => {
    const set = {
      copyRequestedAt: requestedAt,
      copyRequests: timesRequested + 1,
      ...(dueAt && { copyDueAt: dueAt }),
    }
    await model.updateOne(
      { _id, deleted: false, copy: null, copyRequestedAt: before ?? null },
      {
        ...addToOutbox<UploadDocument>(set, newMessage('media.copy-requested.v1', message)),
        ...(!dueAt && { $unset: { copyDueAt: '' } }),
      },
    )
    wakeRelay()
  },

  /** Makes all due at `now` that was last requested before `before`, and counts its requests from the start. */
  markOverdue: async (before: Date, now: Date): Promise<void> => {
    await model.updateMany(
      { status: 'processing', deleted: false, processingRequestedAt: { $lt: before } },
      { $set: { processingDueAt: now, processingRequests: 0 } },
    )
    await model.updateMany(
      { renditionDueAt: { $ne: null }, deleted: false, renditionRequestedAt: { $lt: before } },
      { $set: { renditionDueAt: now, renditionRequests: 0 } },
    )
    await model.updateMany(
      { copyDueAt: { $ne: null }, deleted: false, copyRequestedAt: { $lt: before } },
      { $set: { copyDueAt: now, copyRequests: 0 } },
    )
  },
})
