import { randomBytes } from 'node:crypto'
import type { MessageData, Upload } from '@confetti/contracts'
import { addToOutbox, heldOutbox, newMessage, type OutboxFields, type OutboxRelay } from '@confetti/messaging'
import { isDuplicateKey } from '@confetti/service-kit'
import { Types } from 'mongoose'
import { safeFileName } from '../domain/file-names.ts'
import type { Page, Position } from '../domain/page.ts'
import type { UploadDocument, UploadModel } from './upload-model.ts'

export type StoredUpload = Omit<Upload, 'url' | 'thumbnailUrl' | 'previewUrl' | 'uploadedAt'> & {
  uploadedAt: Date
}
export type NewUpload = Pick<
  StoredUpload,
  '_id' | 'eventId' | 'photoCredit' | 'originalName' | 'contentType' | 'size' | 'sha256' | 'uploadedAt'
>

const toUpload = (document: Omit<UploadDocument, keyof OutboxFields>): StoredUpload => ({
  _id: document._id.toHexString(),
  eventId: document.eventId,
  filename: document.filename,
  originalName: document.originalName,
  photoCredit: document.photoCredit,
  uploadedAt: document.uploadedAt,
  contentType: document.contentType,
  size: document.size,
  sha256: document.sha256,
  status: document.status,
  ...(document.failureReason && { failureReason: document.failureReason }),
  ...(document.width && { width: document.width }),
  ...(document.height && { height: document.height }),
  ...(document.durationSeconds !== undefined && { durationSeconds: document.durationSeconds }),
  ...(document.takenAt && { takenAt: document.takenAt }),
})

type Content = Pick<NewUpload, 'eventId' | 'photoCredit' | 'sha256'>
const contentKeyOf = ({ eventId, sha256, photoCredit }: Content): string =>
  `${eventId}/${sha256}/${photoCredit}`

const completed = (upload: Pick<NewUpload, '_id' | 'eventId' | 'contentType' | 'size'>) =>
  newMessage('upload.completed.v1', {
    uploadId: upload._id,
    eventId: upload.eventId,
    contentType: upload.contentType,
    size: upload.size,
  })

const NAME_TRIES = 20

export const createUploadStore = (model: UploadModel, relay: Pick<OutboxRelay, 'nudge' | 'sendHeld'>) => {
  /** The upload with the same bytes in the same event under the same credit. */
  const findSame = async (content: Content): Promise<StoredUpload | undefined> => {
    const document = await model.findOne({ contentKey: contentKeyOf(content) }).lean()
    return document ? toUpload(document) : undefined
  }

  /** Whether it is there now; if not, it has a key that another has. */
  const insert = (document: UploadDocument): Promise<boolean> =>
    // Not by a mongoose document, whose making costs as much again.
    model.collection.insertOne(document).then(
      () => true,
      (error: unknown) => {
        if (isDuplicateKey(error)) return false
        throw error
      },
    )

  return {
    /**
     * Keeps a new upload, and in the same write what the others are to be told. If an equal one was quicker, that
     * one is returned and nothing is kept. The file name is the one it came with, unless the event has that.
     */
    add: async (upload: NewUpload): Promise<{ upload: StoredUpload; added: boolean }> => {
      const { _id, ...fields } = upload
      const fact = completed(upload)
      for (let tries = 0; tries < NAME_TRIES; tries += 1) {
        const suffix = tries === 0 ? '' : randomBytes(4).toString('hex')
        const name = safeFileName(upload.originalName, upload.contentType, suffix)
        const filename = `${upload.eventId}/${name}`
        const document = {
          _id: new Types.ObjectId(_id),
          ...fields,
          filename,
          filenameKey: filename.toLowerCase(),
          contentKey: contentKeyOf(upload),
          status: 'processing' as const,
          askedAt: upload.uploadedAt,
          deleted: false,
          ...heldOutbox(fact),
        }
        if (!(await insert(document))) {
          const same = await findSame(upload)
          if (!same) continue
          if (same._id !== _id) return { upload: same, added: false }
        }
        relay.sendHeld({ id: document._id, version: document.outboxVersion, messages: document.outbox })
        return { upload: toUpload(document), added: true }
      }
      throw new Error(`No free file name for ${upload.originalName}`)
    },

    /** One page of an event's uploads, newest first, and where the next one begins. */
    list: async (
      eventId: string,
      { limit, after }: Page,
    ): Promise<{ uploads: StoredUpload[]; next?: Position }> => {
      const beyond = after && {
        $or: [
          { uploadedAt: { $lt: after.uploadedAt } },
          { uploadedAt: after.uploadedAt, _id: { $lt: new Types.ObjectId(after._id) } },
        ],
      }
      const query = model
        .find({ eventId, deleted: false, ...beyond }, { outbox: 0 })
        .sort({ uploadedAt: -1, _id: -1 })
      const uploads = (await (limit ? query.limit(limit + 1) : query).lean()).map(toUpload)
      const last = limit && uploads.length > limit ? uploads[limit - 1] : undefined
      return last ? { uploads: uploads.slice(0, limit), next: last } : { uploads }
    },

    /** Takes an upload out of its event, once. Returns false if there is none. */
    markDeleted: async (id: string, at: Date): Promise<boolean> => {
      const upload = await model.findOne({ _id: id, deleted: false }, { eventId: 1 }).lean()
      if (!upload) return false
      const message = newMessage('upload.deleted.v1', { uploadId: id, eventId: upload.eventId })
      const gone = await model.updateOne(
        { _id: id, deleted: false },
        addToOutbox(message, {
          deleted: true,
          deletedAt: at,
          // The same photo may be sent again, under the same name.
          contentKey: `deleted/${id}`,
          filenameKey: `deleted/${id}`,
        }),
      )
      relay.nudge()
      return gone.modifiedCount === 1
    },

    /** Makes an upload ready; one that is deleted stays as it is. */
    markReady: async ({ uploadId, ...found }: MessageData<'media.processed.v1'>): Promise<void> => {
      await model.updateOne(
        { _id: uploadId, deleted: false },
        { $set: { ...found, status: 'ready' }, $unset: { failureReason: '' } },
      )
    },

    /** Says why an upload has no pictures; one that is ready stays so. */
    markFailed: async ({ uploadId, reason }: MessageData<'media.failed.v1'>): Promise<void> => {
      await model.updateOne(
        { _id: uploadId, status: 'processing' },
        { $set: { status: 'failed', failureReason: reason } },
      )
    },

    /** Hands uploads that wait since before `asked` to the media worker once more; returns how many. */
    askAgain: async (asked: Date, now: Date): Promise<number> => {
      const waiting = await model
        .find({ status: 'processing', deleted: false, outboxPending: false, askedAt: { $lt: asked } })
        .limit(1_000)
        .lean()
      for (const document of waiting)
        await model.updateOne(
          { _id: document._id, status: 'processing', askedAt: document.askedAt },
          addToOutbox(completed(toUpload(document)), { askedAt: now }),
        )
      if (waiting.length > 0) relay.nudge()
      return waiting.length
    },

    /** Forgets uploads that were deleted before `before` and of whose end everybody has been told. */
    forgetDeleted: async (before: Date): Promise<number> => {
      const { deletedCount } = await model.deleteMany({
        deleted: true,
        outboxPending: false,
        deletedAt: { $lt: before },
      })
      return deletedCount
    },

    /** Those of `ids` that have a record, deleted or not. */
    known: async (ids: readonly string[]): Promise<Set<string>> => {
      const documents = await model.find({ _id: { $in: ids } }, { _id: 1 }).lean()
      return new Set(documents.map(({ _id }) => _id.toHexString()))
    },
  }
}
export type UploadStore = ReturnType<typeof createUploadStore>
