import { randomBytes } from 'node:crypto'
import { upload as uploadContract, type UploadTotal } from '@confetti/contracts'
import { addToOutbox, leasedOutbox, newMessage, type OutboxRelay } from '@confetti/messaging'
import { findPage, isDuplicateKey, pickDefined } from '@confetti/service-kit'
import { mongo, Types, type QueryFilter } from 'mongoose'
import { toSafeFileName } from '../domain/file-names.ts'
import type { AddedUpload, NewUpload, StoredUpload, UploadStore } from '../domain/upload.ts'
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

type Content = Pick<NewUpload, 'eventId' | 'sha256' | 'photoCredit' | 'unverifiedContent'>

const getContentKey = ({ eventId, sha256, photoCredit, unverifiedContent }: Content): string =>
  unverifiedContent === undefined
    ? `${eventId}/${sha256}/${photoCredit}`
    : `unverified/${eventId}/${sha256}/${unverifiedContent}/${photoCredit}`

const uploadCompleted = (upload: Pick<StoredUpload, '_id' | 'eventId' | 'contentType' | 'size'>) =>
  newMessage('upload.completed.v1', {
    uploadId: upload._id,
    eventId: upload.eventId,
    contentType: upload.contentType,
    size: upload.size,
  })

const MAX_NAME_ATTEMPTS = 20
// FerretDB stops at more than 50 changes in one write.
const INSERT_BATCH_SIZE = 50

/** The positions of documents that a bulk insert refused because a unique key exists. Throws any other error. */
const getDuplicateKeyIndexes = (error: unknown): number[] => {
  if (!(error instanceof mongo.MongoBulkWriteError)) throw error
  const errors = [error.writeErrors].flat()
  if (errors.length === 0 || !errors.every(isDuplicateKey)) throw error
  return errors.map(({ index }) => index)
}

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
  const find = (filter: QueryFilter<UploadDocument>) => model.find(filter, { outbox: 0 }).lean()

  /** Inserts documents, in batches. Returns those that were not inserted, as one of their unique keys is taken. */
  const insert = async (documents: readonly UploadDocument[]): Promise<UploadDocument[]> => {
    const refused: UploadDocument[] = []
    for (let start = 0; start < documents.length; start += INSERT_BATCH_SIZE) {
      const batch = documents.slice(start, start + INSERT_BATCH_SIZE)
      // By the driver: creating a mongoose document costs as much again.
      await model.collection.insertMany(batch, { ordered: false }).catch((error: unknown) => {
        refused.push(...getDuplicateKeyIndexes(error).flatMap((index) => batch[index] ?? []))
      })
    }
    return refused
  }

  /** The documents whose id or content key each of `refused` has. */
  const findTaken = async (refused: readonly UploadDocument[]) => {
    const taken = await find({
      $or: [
        { _id: { $in: refused.map(({ _id }) => _id) } },
        { contentKey: { $in: refused.map(({ contentKey }) => contentKey) } },
      ],
    })
    return ({ _id, contentKey }: UploadDocument) =>
      taken.find((other) => other._id.equals(_id)) ?? taken.find((other) => other.contentKey === contentKey)
  }

  /** Adds uploads under names with or without a random suffix. Returns the outcomes of those whose names are free. */
  const addUnder = async (
    uploads: readonly NewUpload[],
    hasSuffix: boolean,
  ): Promise<Map<string, AddedUpload>> => {
    const documents = uploads.map((upload) =>
      toDocument(upload, hasSuffix ? randomBytes(4).toString('hex') : ''),
    )
    const refused = new Set(await insert(documents))
    const findExisting = refused.size > 0 ? await findTaken([...refused]) : () => undefined
    const outcomes = new Map<string, AddedUpload>()
    for (const document of documents) {
      const { _id, outbox, outboxVersion } = document
      if (!refused.has(document)) {
        relay.publishLeased({ id: _id, version: outboxVersion, messages: outbox })
        outcomes.set(_id.toHexString(), { upload: toStoredUpload(document), duplicate: false, isNew: true })
        continue
      }
      const existing = findExisting(document)
      // The same id: the driver repeated an insert, or a guest a completion, whose answer was lost.
      if (existing)
        outcomes.set(_id.toHexString(), {
          upload: toStoredUpload(existing),
          duplicate: !existing._id.equals(_id),
          isNew: false,
        })
    }
    return outcomes
  }

  const toDocument = ({ unverifiedContent, ...upload }: NewUpload, suffix: string): UploadDocument => {
    const { _id, ...fields } = upload
    const name = toSafeFileName(upload.originalName, upload.contentType, suffix)
    const filename = `${upload.eventId}/${name}`
    return {
      _id: new Types.ObjectId(_id),
      ...fields,
      filename,
      filenameKey: filename.toLowerCase(),
      contentKey: getContentKey({ ...upload, ...(unverifiedContent !== undefined && { unverifiedContent }) }),
      ...(unverifiedContent !== undefined && { isHashUnverified: true }),
      status: 'processing' as const,
      processingRequestedAt: upload.uploadedAt,
      processingDueAt: new Date(upload.uploadedAt.getTime() + processingTimeoutMs),
      deleted: false,
      ...leasedOutbox(uploadCompleted(upload)),
    }
  }

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
    add: async (newUploads) => {
      const outcomes = new Map<string, AddedUpload>()
      for (let attempt = 0; attempt < MAX_NAME_ATTEMPTS; attempt += 1) {
        const waiting = newUploads.filter(({ _id }) => !outcomes.has(_id))
        if (waiting.length === 0) break
        for (const [id, outcome] of await addUnder(waiting, attempt > 0)) outcomes.set(id, outcome)
      }
      return newUploads.map(({ _id, originalName }) => {
        const outcome = outcomes.get(_id)
        if (!outcome) throw new Error(`No free file name for ${originalName}`)
        return outcome
      })
    },

    findByIds: async (ids) => (await find({ _id: { $in: ids } })).map(toStoredUpload),

    findByHash: async (eventId, photoCredit, sha256s) => {
      const contentKeys = sha256s.map((sha256) => getContentKey({ eventId, photoCredit, sha256 }))
      return (await find({ contentKey: { $in: contentKeys } })).map(toStoredUpload)
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

    markReady: async ({ uploadId, sha256: _, ...metadata }) => {
      await model.updateOne(
        { _id: uploadId, deleted: false },
        { $set: { ...metadata, status: 'ready' }, $unset: { failureReason: '' } },
      )
    },

    markFailed: async ({ uploadId, reason, crc32 }) => {
      await model.updateOne(
        { _id: uploadId, status: 'processing' },
        { $set: { status: 'failed', failureReason: reason, ...(crc32 !== undefined && { crc32 }) } },
      )
    },

    findUnverified: async (id) => {
      const [document] = await find({ _id: id, isHashUnverified: true, deleted: false })
      return document && toStoredUpload(document)
    },

    setHash: async ({ _id, eventId, photoCredit }, sha256) => {
      try {
        await model.updateOne(
          { _id, isHashUnverified: true, deleted: false },
          {
            $set: { sha256, contentKey: getContentKey({ eventId, photoCredit, sha256 }) },
            $unset: { isHashUnverified: '' },
          },
        )
        return true
      } catch (error) {
        if (isDuplicateKey(error)) return false
        throw error
      }
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
