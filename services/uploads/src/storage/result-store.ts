import { isVideo, type MessageData } from '@confetti/contracts'
import { addToOutbox } from '@confetti/messaging'
import { isDuplicateKey, type Clock } from '@confetti/service-kit'
import { findCapture } from '../capture-time.ts'
import type { StoredUpload } from '../upload.ts'
import { changedMessage, type ChangeUpload } from './change-upload.ts'
import {
  getContentKey,
  kept,
  toStoredUpload,
  withoutOutbox,
  type UploadDocument,
  type UploadModel,
} from './upload-model.ts'

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
          update: {
            ...(upload.status === status
              ? { $set: found }
              : addToOutbox<UploadDocument>(
                  { ...found, status, ...renditionFields(upload) },
                  changedMessage(upload, { status }),
                )),
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
