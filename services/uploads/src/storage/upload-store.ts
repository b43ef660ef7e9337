import type { UploadTotal } from '@confetti/contracts'
import { addToOutbox, auditMessage, newMessage, type Message, type OutboxRelay } from '@confetti/messaging'
import {
  changeMany,
  computeTotals,
  findIn,
  findPage,
  isDuplicateKey,
  type PageRequest,
} from '@confetti/service-kit'
import { Types, type QueryFilter } from 'mongoose'
import { renditionTimeoutMs } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { UploadPage, UploadStore } from '../upload.ts'
import { makeAddUploads } from './add-uploads.ts'
import { createRenditionRequests, createUploadChanges } from './change-uploads.ts'
import {
  getContentKey,
  toStoredUpload,
  uploadCompleted,
  withoutOutbox,
  type UploadDocument,
  type UploadModel,
} from './upload-model.ts'
import { createUploadOwners } from './upload-owners.ts'

const makeComputeTotal = (model: UploadModel): UploadStore['total'] => {
  const computeTotal = async (eventId: string): Promise<UploadTotal> => {
    const fields = { distinct: 'photoCredit', sum: 'size' } as const
    const { documents, distinct, sum } = await computeTotals(model, { eventId, deleted: false }, fields)
    return { files: documents, guests: distinct, bytes: sum }
  }
  const pendingTotals = new Map<string, Promise<UploadTotal>>()

  return (eventId) => {
    const pending =
      pendingTotals.get(eventId) ??
      computeTotal(eventId).finally(() => {
        pendingTotals.delete(eventId)
      })
    pendingTotals.set(eventId, pending)
    return pending
  }
}

const toOverdueUpload = (document: UploadDocument) => ({
  ...toStoredUpload(document),
  timesRequested: document.processingRequests ?? 0,
  requestedAt: document.processingRequestedAt,
})

export const createUploadStore = (
  model: UploadModel,
  relay: Pick<OutboxRelay, 'wakeRelay' | 'publishLeased'>,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
): UploadStore => {
  const { wakeRelay } = relay
  const listIds = async (filter: QueryFilter<UploadDocument>, limit: number): Promise<string[]> => {
    const documents = await model.find(filter, { _id: 1 }).limit(limit).lean()
    return documents.map(({ _id }) => _id.toHexString())
  }
  /** The update that deletes an upload. */
  const deletion = (id: string, eventId: string, at: Date, ...messages: Message[]) =>
    addToOutbox<UploadDocument>(
      {
        deleted: true,
        deletedAt: at,
        // Releases the unique keys: the same photo may be sent again, under the same name.
        contentKey: `deleted/${id}`,
        filenameKey: `deleted/${id}`,
      },
      newMessage('upload.deleted.v1', { uploadId: id, eventId }),
      ...messages,
    )
  const find = (filter: QueryFilter<UploadDocument>) => model.find(filter, withoutOutbox).lean()

  const listPage = async (filter: QueryFilter<UploadDocument>, request: PageRequest): Promise<UploadPage> => {
    const { documents, next } = await findPage<UploadDocument>(
      model,
      { filter, time: 'uploadedAt', projection: withoutOutbox },
      request,
    )
    return { uploads: documents.map(toStoredUpload), ...(next && { next }) }
  }

  const owners = createUploadOwners(model, { deletion, wakeRelay })

  return {
    add: makeAddUploads(model, {
      processingTimeoutMs: config.PROCESSING_TIMEOUT_MS,
      publishLeased: relay.publishLeased,
      addOwners: owners.addOwners,
    }),
    ...owners,
    ...createUploadChanges(model, { wakeRelay, clock, renditionTimeoutMs: renditionTimeoutMs(config) }),
    ...createRenditionRequests(model, wakeRelay),
    total: makeComputeTotal(model),

    findByIds: async (ids) => {
      const objectIds = ids.map((id) => new Types.ObjectId(id))
      return (await findIn(model, '_id', objectIds, withoutOutbox)).map(toStoredUpload)
    },

    findVisible: async (eventId, id) => {
      const [document] = await find({ _id: id, eventId, status: 'ready', visibility: null, deleted: false })
      return document && toStoredUpload(document)
    },

    findByHash: async (eventId, photoCredit, sha256s) => {
      const contentKeys = sha256s.map((sha256) => getContentKey({ eventId, photoCredit, sha256 }))
      return (await findIn(model, 'contentKey', contentKeys, withoutOutbox)).map(toStoredUpload)
    },

    list: (eventId, request) => listPage({ eventId, deleted: false }, request),

    listVisible: (eventId, request) =>
      listPage({ eventId, deleted: false, status: 'ready', visibility: null }, request),

    listByGuest: (eventId, guestId, request) => listPage({ guestId, eventId, deleted: false }, request),

    listForArchive: async (eventId) => {
      const projection = {
        filename: 1,
        photoCredit: 1,
        size: 1,
        takenAt: 1,
        uploadedAt: 1,
        crc32: 1,
      } as const
      const documents = await model.find({ eventId, deleted: false }, projection).lean()
      return documents.map(({ _id, ...upload }) => ({ ...upload, _id: _id.toHexString() }))
    },

    listDeletedSince: async (eventId, since) => {
      const documents = await model
        .find({ eventId, deleted: true, deletedAt: { $gte: since } }, { _id: 1 })
        .lean()
      return documents.map(({ _id }) => _id.toHexString())
    },

    setCrc32: async (id, crc32) => {
      await model.updateOne({ _id: id }, { $set: { crc32 } })
    },

    markDeleted: async (id, at, ofEvent) => {
      const filter = { _id: id, deleted: false, ...(ofEvent !== undefined && { eventId: ofEvent }) }
      const upload = await model.findOne(filter, { eventId: 1 }).lean()
      if (!upload) return false
      const { eventId } = upload
      const audit = auditMessage({ action: 'upload.deleted', subject: { type: 'upload', id }, eventId })
      const updated = await model.updateOne({ _id: id, deleted: false }, deletion(id, eventId, at, audit))
      wakeRelay()
      return updated.modifiedCount === 1
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
          processingDueAt: { $lte: now },
        })
        .limit(limit)
        .lean()
      return documents.map(toOverdueUpload)
    },

    listRetryable: async (limit) => {
      const documents = await model
        .find({ status: 'failed', contentType: 'image/heic', isFailureFinal: null, deleted: false })
        .limit(limit)
        .lean()
      return documents.map(toOverdueUpload)
    },

    requestProcessing: async (overdue, { requestedAt, dueAt }) => {
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

    markOverdue: async (before, now) => {
      await model.updateMany(
        { status: 'processing', deleted: false, processingRequestedAt: { $lt: before } },
        { $set: { processingDueAt: now, processingRequests: 0 } },
      )
    },

    listDeleted: (before, limit) =>
      listIds({ deleted: true, outboxPending: false, deletedAt: { $lt: before } }, limit),

    listIdsOfEvent: (eventId, limit) => listIds({ eventId, deleted: false }, limit),

    markAllDeleted: async (eventId, ids, at) => {
      const changes = ids.map((id) => ({
        updateOne: { filter: { _id: id, deleted: false }, update: deletion(id, eventId, at) },
      }))
      await changeMany(model, changes)
      if (ids.length > 0) wakeRelay()
    },

    listDeletedIds: async (eventId, limit) => {
      const published = await listIds({ eventId, deleted: true, outboxPending: false }, limit)
      const waiting = await listIds({ eventId, deleted: true, outboxPending: true }, limit)
      return { published, waiting: waiting.length }
    },

    removeDeleted: async (ids) => {
      await model.deleteMany({ _id: { $in: ids }, deleted: true })
    },

    findRecorded: async (ids) => {
      const documents = await model.find({ _id: { $in: ids } }, { _id: 1 }).lean()
      return new Set(documents.map(({ _id }) => _id.toHexString()))
    },
  }
}
