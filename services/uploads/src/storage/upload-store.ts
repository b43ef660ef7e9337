import { randomBytes } from 'node:crypto'
import { upload as uploadContract, type UploadTotal } from '@confetti/contracts'
import { addToOutbox, leasedOutbox, newMessage, type OutboxRelay } from '@confetti/messaging'
import { findPage, isDuplicateKey, pickDefined } from '@confetti/service-kit'
import { Types } from 'mongoose'
import { toSafeFileName } from '../domain/file-names.ts'
import type { NewUpload, StoredUpload, UploadStore } from '../domain/upload.ts'
import type { UploadDocument, UploadModel } from './upload-model.ts'

// All other fields of the document are internal to this store.
const storedFields = uploadContract
  .omit({ _id: true, url: true, thumbnailUrl: true, previewUrl: true })
  .keyof().options

const toStoredUpload = (
  document: Pick<UploadDocument, '_id' | (typeof storedFields)[number]>,
): StoredUpload => ({
  _id: document._id.toHexString(),
  ...pickDefined(document, storedFields),
})

const getContentKey = ({ eventId, sha256, photoCredit }: NewUpload): string =>
  `${eventId}/${sha256}/${photoCredit}`

const uploadCompleted = (upload: Pick<StoredUpload, '_id' | 'eventId' | 'contentType' | 'size'>) =>
  newMessage('upload.completed.v1', {
    uploadId: upload._id,
    eventId: upload.eventId,
    contentType: upload.contentType,
    size: upload.size,
  })

const MAX_NAME_ATTEMPTS = 20

export const createUploadStore = ({
  model,
  processingTimeoutMs,
  relay,
}: {
  model: UploadModel
  /** How long after an upload its processing is overdue. */
  processingTimeoutMs: number
  relay: Pick<OutboxRelay, 'wakeRelay' | 'publishLeased'>
}): UploadStore => {
  const findByContent = async (upload: NewUpload): Promise<StoredUpload | undefined> => {
    const document = await model.findOne({ contentKey: getContentKey(upload) }).lean()
    return document ? toStoredUpload(document) : undefined
  }

  /** Inserts a document; false if one of its unique keys is taken. */
  const insert = (document: UploadDocument): Promise<boolean> =>
    // By the driver: creating a mongoose document costs as much again.
    model.collection.insertOne(document).then(
      () => true,
      (error: unknown) => {
        if (isDuplicateKey(error)) return false
        throw error
      },
    )

  // Three queries, because FerretDB computes only the first accumulator of a `$group`.
  const computeTotal = async (eventId: string): Promise<UploadTotal> => {
    const filter = { eventId, deleted: false }
    const [files, [byGuest], [bySize]] = await Promise.all([
      model.countDocuments(filter),
      model.aggregate<{ guests: number }>([
        { $match: filter },
        { $group: { _id: '$photoCredit' } },
        { $count: 'guests' },
      ]),
      model.aggregate<{ bytes: number }>([
        { $match: filter },
        { $group: { _id: null, bytes: { $sum: '$size' } } },
      ]),
    ])
    return { files, guests: byGuest?.guests ?? 0, bytes: bySize?.bytes ?? 0 }
  }
  const pendingTotals = new Map<string, Promise<UploadTotal>>()

  return {
    add: async (upload) => {
      const { _id, ...fields } = upload
      const message = uploadCompleted(upload)
      for (let attempt = 0; attempt < MAX_NAME_ATTEMPTS; attempt += 1) {
        const suffix = attempt === 0 ? '' : randomBytes(4).toString('hex')
        const name = toSafeFileName(upload.originalName, upload.contentType, suffix)
        const filename = `${upload.eventId}/${name}`
        const document = {
          _id: new Types.ObjectId(_id),
          ...fields,
          filename,
          filenameKey: filename.toLowerCase(),
          contentKey: getContentKey(upload),
          status: 'processing' as const,
          processingRequestedAt: upload.uploadedAt,
          processingDueAt: new Date(upload.uploadedAt.getTime() + processingTimeoutMs),
          deleted: false,
          ...leasedOutbox(message),
        }
        if (!(await insert(document))) {
          const existing = await findByContent(upload)
          // Neither: the name is taken.
          if (!existing) continue
          // The same id: the driver repeated an insert whose answer was lost.
          if (existing._id !== _id) return { upload: existing, added: false }
        }
        relay.publishLeased({
          id: document._id,
          version: document.outboxVersion,
          messages: document.outbox,
        })
        return { upload: toStoredUpload(document), added: true }
      }
      throw new Error(`No free file name for ${upload.originalName}`)
    },

    list: async (eventId, request) => {
      const { documents, next } = await findPage<UploadDocument>(
        model,
        { filter: { eventId, deleted: false }, time: 'uploadedAt', projection: { outbox: 0 } },
        request,
      )
      return { uploads: documents.map(toStoredUpload), ...(next && { next }) }
    },

    total: (eventId) => {
      const pending =
        pendingTotals.get(eventId) ??
        computeTotal(eventId).finally(() => {
          pendingTotals.delete(eventId)
        })
      pendingTotals.set(eventId, pending)
      return pending
    },

    markDeleted: async (id, at) => {
      const upload = await model.findOne({ _id: id, deleted: false }, { eventId: 1 }).lean()
      if (!upload) return false
      const message = newMessage('upload.deleted.v1', { uploadId: id, eventId: upload.eventId })
      const updated = await model.updateOne(
        { _id: id, deleted: false },
        addToOutbox(message, {
          deleted: true,
          deletedAt: at,
          // Releases the unique keys: the same photo may be sent again, under the same name.
          contentKey: `deleted/${id}`,
          filenameKey: `deleted/${id}`,
        }),
      )
      relay.wakeRelay()
      return updated.modifiedCount === 1
    },

    markReady: async ({ uploadId, ...metadata }) => {
      await model.updateOne(
        { _id: uploadId, deleted: false },
        { $set: { ...metadata, status: 'ready' }, $unset: { failureReason: '' } },
      )
    },

    markFailed: async ({ uploadId, reason }) => {
      await model.updateOne(
        { _id: uploadId, status: 'processing' },
        { $set: { status: 'failed', failureReason: reason } },
      )
    },

    listOverdue: async (now, limit) => {
      const documents = await model
        .find({
          status: 'processing',
          deleted: false,
          outboxPending: false,
          $or: [
            { processingDueAt: { $lte: now } },
            // Written before version 0.2.
            {
              processingDueAt: null,
              uploadedAt: { $lte: new Date(now.getTime() - processingTimeoutMs) },
            },
          ],
        })
        .limit(limit)
        .lean()
      return documents.map((document) => ({
        ...toStoredUpload(document),
        requests: document.processingRequests ?? 0,
        requestedAt: document.processingRequestedAt,
      }))
    },

    requestProcessing: async (overdue, { requestedAt, dueAt }) => {
      await model.updateOne(
        {
          _id: overdue._id,
          status: 'processing',
          deleted: false,
          processingRequestedAt: overdue.requestedAt ?? null,
        },
        addToOutbox(uploadCompleted(overdue), {
          processingRequestedAt: requestedAt,
          processingRequests: overdue.requests + 1,
          processingDueAt: dueAt,
        }),
      )
      relay.wakeRelay()
    },

    markOverdue: async (before, now) => {
      await model.updateMany(
        { status: 'processing', deleted: false, processingRequestedAt: { $lt: before } },
        { $set: { processingDueAt: now, processingRequests: 0 } },
      )
    },

    listDeleted: async (before, limit) => {
      const documents = await model
        .find({ deleted: true, outboxPending: false, deletedAt: { $lt: before } }, { _id: 1 })
        .limit(limit)
        .lean()
      return documents.map(({ _id }) => _id.toHexString())
    },

    removeDeleted: async (ids) => {
      await model.deleteMany({ _id: { $in: ids }, deleted: true })
    },

    findExisting: async (ids) => {
      const documents = await model.find({ _id: { $in: ids } }, { _id: 1 }).lean()
      return new Set(documents.map(({ _id }) => _id.toHexString()))
    },
  }
}
