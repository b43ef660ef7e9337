import { isVideo, mediaTypeRows, PROCESSING_CRASHED, type MessageData } from '@confetti/contracts'
import { addToOutbox, newMessage } from '@confetti/messaging'
import { isDuplicateKey, type Clock } from '@confetti/service-kit'
import { findCapture } from '../capture-time.ts'
import type { StoredUpload } from '../upload.ts'
import { changedMessage, type ChangeUpload } from './change-upload.ts'
import {
  captureOf,
  getContentKey,
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

/** A video whose rendition should be stored. */
interface OverdueRendition {
  /** What `media.rendition-requested` says. */
  message: MessageData<'media.rendition-requested.v1'>
  /** How often it has been requested again. */
  timesRequested: number
  requestedAt: Date | undefined
}

/** A photo whose copy should be stored. */
interface OverdueCopy {
  /** What `media.copy-requested` says. */
  message: MessageData<'media.copy-requested.v1'>
  /** How often it has been requested alone. */
  timesRequested: number
  requestedAt: Date | undefined
}

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

/** What the media worker has found out about uploads. */
export const createResultStore = (
  model: UploadModel,
  change: ChangeUpload,
  { clock, renditionTimeoutMs }: { clock: Clock; renditionTimeoutMs: number },
) => {
  /** The media worker requests the rendition of a video with the message that the video is ready. */
  const renditionFields = ({
    contentType,
    hasRendition,
  }: Pick<UploadDocument, 'contentType' | 'hasRendition'>): Partial<UploadDocument> => {
    if (!isVideo(contentType) || hasRendition) return {}
    const now = clock()
    return { renditionRequestedAt: now, renditionDueAt: new Date(now.getTime() + renditionTimeoutMs) }
  }

  return {
    /**
     * Marks an upload as ready and stores its metadata, together with its `upload.changed` message if it was not ready; a
     * deleted upload stays deleted.
     */
    markReady: async ({
      uploadId,
      sha256: _,
      ...metadata
    }: MessageData<'media.processed.v1'>): Promise<void> => {
      const status = 'ready'
      await change({ _id: uploadId }, (upload) => {
        // Without a zone, a replica of an earlier version has stored it: the sweep finds out when it was taken.
        const { captureZone } = upload
        const found = {
          ...metadata,
          ...(captureZone && findCapture({ ...upload, ...metadata }, captureZone)),
        }
        return {
          result: undefined,
          update:
            upload.status === status
              ? { $set: found }
              : {
                  ...addToOutbox<UploadDocument>(
                    { ...found, status, ...renditionFields(upload) },
                    changedMessage(upload, { status }),
                  ),
                  $unset: { failureReason: '', ...(metadata.copy && { copyDueAt: '' }) },
                },
        }
      })
    },

    /** Records that the copy of a photo is stored. No message: pages find it when they ask again for what has changed. */
    markCopied: async ({ uploadId, copy }: MessageData<'media.copied.v1'>): Promise<void> => {
      await change({ _id: uploadId, copy: null }, () => ({
        result: undefined,
        update: { $set: { copy }, $unset: { copyDueAt: '' } },
      }))
    },

    /** Records that the rendition of a video is stored, together with its `upload.changed` message if the video is ready. */
    markRendered: async ({ uploadId, copy }: MessageData<'media.rendered.v1'>): Promise<void> => {
      const set = { hasRendition: true, ...(copy && { copy }) }
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

    /** Marks an upload that is still processing as failed, together with its `upload.changed` message. */
    markFailed: async ({
      uploadId,
      reason,
      decoderVersion,
      crc32,
    }: MessageData<'media.failed.v1'>): Promise<void> => {
      const status = 'failed'
      const set = {
        status,
        failureReason: reason,
        // Requests count for each version of the decoders.
        ...(decoderVersion !== undefined && { decoderVersion, processingRequests: 0 }),
        ...(crc32 !== undefined && { crc32 }),
      }
      await change({ _id: uploadId, status: 'processing' }, (upload) => ({
        result: undefined,
        update: addToOutbox(set, changedMessage(upload, { status })),
      }))
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

    /** An upload whose hash is only declared; undefined if it was deleted for good or its hash has been verified. */
    findUnverified: async (id: string): Promise<StoredUpload | undefined> => {
      const unverified = { _id: id, isHashUnverified: true, ...kept }
      const document = await model.findOne(unverified, withoutOutbox).lean()
      return document ? toStoredUpload(document) : undefined
    },

    /**
     * Stores the verified hash of an upload. `taken`: the event already has an upload with it under the same credit;
     * `changed`: the upload has got another credit, or was deleted, meanwhile.
     */
    setHash: async (
      { _id, eventId, photoCredit }: Pick<StoredUpload, '_id' | 'eventId' | 'photoCredit'>,
      sha256: string,
    ): Promise<'stored' | 'taken' | 'changed'> => {
      try {
        const { matchedCount } = await model.updateOne(
          { _id, photoCredit, isHashUnverified: true, ...kept },
          {
            $set: { sha256, contentKey: getContentKey({ eventId, photoCredit, sha256 }), changedAt: clock() },
            $unset: { isHashUnverified: '' },
          },
        )
        return matchedCount === 1 ? 'stored' : 'changed'
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken'
        throw error
      }
    },
  }
}

/** Requests to the media worker whose messages may be lost. */
export const createOverdueStore = (model: UploadModel, wakeRelay: () => void) => ({
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

  /** Makes processing due at `now` that was last requested before `before`, and counts its requests from the start. */
  markOverdue: async (before: Date, now: Date): Promise<void> => {
    await model.updateMany(
      { status: 'processing', deleted: false, processingRequestedAt: { $lt: before } },
      { $set: { processingDueAt: now, processingRequests: 0 } },
    )
  },

  /** At most `limit` videos that are ready and whose rendition is overdue at `now`. */
  listOverdueRenditions: async (now: Date, limit: number): Promise<OverdueRendition[]> => {
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

  /**
   * Publishes `media.rendition-requested`, for the last time if there is no `dueAt`, unless the rendition has been stored
   * or requested again meanwhile.
   */
  requestRendition: async (
    { message, timesRequested, requestedAt: before }: OverdueRendition,
    { requestedAt, dueAt }: { requestedAt: Date; dueAt: Date | undefined },
  ): Promise<void> => {
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
      .find({ copyDueAt: { $lte: now }, status: 'ready', deleted: false }, withoutOutbox)
      .sort({ copyDueAt: 1 })
      .limit(limit)
      .lean()
    return documents.flatMap((document) => {
      const { _id, contentType, size, photoCredit, copyRequests, copyRequestedAt } = document
      if (isVideo(contentType)) return []
      const copy = toCopyMetadata(photoCredit, captureOf(document))
      return {
        message: { uploadId: _id.toHexString(), contentType, size, copy },
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
    { message, timesRequested, requestedAt: before }: OverdueCopy,
    { requestedAt, dueAt }: { requestedAt: Date; dueAt: Date | undefined },
  ): Promise<void> => {
    const set = {
      copyRequestedAt: requestedAt,
      copyRequests: timesRequested + 1,
      ...(dueAt && { copyDueAt: dueAt }),
    }
    await model.updateOne(
      { _id: message.uploadId, deleted: false, copy: null, copyRequestedAt: before ?? null },
      {
        ...addToOutbox<UploadDocument>(set, newMessage('media.copy-requested.v1', message)),
        ...(!dueAt && { $unset: { copyDueAt: '' } }),
      },
    )
    wakeRelay()
  },

  /** Makes copies due at `now` that were last requested before `before`, and counts their requests from the start. */
  markCopiesOverdue: async (before: Date, now: Date): Promise<void> => {
    await model.updateMany(
      { copyDueAt: { $ne: null }, deleted: false, copyRequestedAt: { $lt: before } },
      { $set: { copyDueAt: now, copyRequests: 0 } },
    )
  },

  /** Makes renditions due at `now` that were last requested before `before`, and counts their requests from the start. */
  markRenditionsOverdue: async (before: Date, now: Date): Promise<void> => {
    await model.updateMany(
      { renditionDueAt: { $ne: null }, deleted: false, renditionRequestedAt: { $lt: before } },
      { $set: { renditionDueAt: now, renditionRequests: 0 } },
    )
  },
})
