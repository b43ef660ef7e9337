import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isVideo } from '@confetti/contracts'
import { leasedOutbox, type OutboxRelay } from '@confetti/messaging'
import { continueTrace, findIn, insertBatches, isDuplicateKey, type Clock } from '@confetti/service-kit'
import { mongo, Types } from 'mongoose'
import { findCapture } from '../capture-time.ts'
import { toSafeFileName } from '../file-names.ts'
import { uploadBusy } from '../rejections.ts'
import type { AddedUpload, ArrivedUpload, NewUpload, StoredUpload } from '../upload.ts'
import {
  getContentKey,
  toCopyMetadata,
  toStoredUpload,
  uploadCompleted,
  withoutOutbox,
  type UploadDocument,
  type UploadModel,
} from './upload-model.ts'
import type { UploadOwners } from './upload-owners.ts'

const MAX_NAME_ATTEMPTS = 20
const MAX_PAUSE_MS = 200
/** What is acknowledged because it is there already must be as durable as what is written for it. */
const lasting = { isLasting: true }

/** The positions of documents that a bulk insert refused because a unique key exists. Throws any other error. */
const getDuplicateKeyIndexes = (error: unknown): number[] => {
  if (!(error instanceof mongo.MongoBulkWriteError)) throw error
  const errors = [error.writeErrors].flat()
  if (errors.length === 0 || !errors.every(isDuplicateKey)) throw error
  return errors.map(({ index }) => index)
}

/** What guests send, and what of it is there already. */
export const createSendingStore = (
  model: UploadModel,
  {
    processingTimeoutMs,
    publishLeased,
    addOwners,
    findStaying,
    clock,
  }: Pick<OutboxRelay, 'publishLeased'> &
    Pick<UploadOwners, 'addOwners' | 'findStaying'> & { processingTimeoutMs: number; clock: Clock },
) => {
  const toDocument = (
    { provisionalIdentity, traceparent, visibility, timeZone, save, ...upload }: NewUpload,
    suffix: string,
  ): UploadDocument => {
    const { _id, ...fields } = upload
    const capture = findCapture(upload, timeZone)
    const copy =
      save && !isVideo(upload.contentType) ? toCopyMetadata(upload.photoCredit, capture) : undefined
    const processingDueAt = new Date(upload.uploadedAt.getTime() + processingTimeoutMs)
    const name = toSafeFileName(upload.originalName, upload.contentType, suffix)
    const filename = `${upload.eventId}/${name}`
    return {
      _id: new Types.ObjectId(_id),
      ...fields,
      ...capture,
      filename,
      filenameKey: filename.toLowerCase(),
      contentKey: getContentKey({
        ...upload,
        ...(provisionalIdentity !== undefined && { provisionalIdentity }),
      }),
      ...(provisionalIdentity !== undefined && { isHashUnverified: true }),
      ...(visibility !== 'visible' && { visibility }),
      status: 'processing' as const,
      changedAt: clock(),
      processingRequestedAt: upload.uploadedAt,
      processingDueAt,
      ...(copy && { copyDueAt: processingDueAt }),
      deleted: false,
      ...leasedOutbox(continueTrace(traceparent, () => uploadCompleted(upload, copy))),
    }
  }

  /** Inserts documents. Returns those that were not inserted, as one of their unique keys is taken. */
  const insert = async (documents: readonly UploadDocument[]): Promise<UploadDocument[]> => {
    const refused: UploadDocument[] = []
    for (const batch of await insertBatches(model.db, documents)) {
      // By the driver: creating a mongoose document costs as much again.
      await model.collection.insertMany(batch, { ordered: false }).catch((error: unknown) => {
        refused.push(...getDuplicateKeyIndexes(error).flatMap((index) => batch[index] ?? []))
      })
    }
    return refused
  }

  /** What a repeated call is told: of an upload that was merged meanwhile, the one that stays. */
  const toRepeated = async (document: UploadDocument): Promise<AddedUpload> => {
    const other = await findStaying(document)
    return other
      ? { upload: toStoredUpload(other), kind: 'duplicate' }
      : { upload: toStoredUpload(document), kind: 'repeated' }
  }

  /** The documents whose id or content key each of `refused` has. */
  const findTaken = async (refused: readonly UploadDocument[]) => {
    const ids = refused.map(({ _id }) => _id)
    const contentKeys = refused.map(({ contentKey }) => contentKey)
    const taken = [
      ...(await findIn(model, '_id', ids, withoutOutbox, lasting)),
      ...(await findIn(model, 'contentKey', contentKeys, withoutOutbox, lasting)),
    ]
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
        publishLeased({ id: _id, version: outboxVersion, messages: outbox })
        outcomes.set(_id.toHexString(), { upload: toStoredUpload(document), kind: 'new' })
        continue
      }
      const existing = findExisting(document)
      if (!existing) continue
      // The same id: the driver repeated an insert, or a guest a completion, whose answer was lost.
      if (existing._id.equals(_id)) outcomes.set(_id.toHexString(), await toRepeated(existing))
      // It may have been deleted meanwhile: then the next attempt stores the upload.
      else if (await addOwners(existing._id.toHexString(), [document.guestId ?? []].flat()))
        outcomes.set(_id.toHexString(), { upload: toStoredUpload(existing), kind: 'duplicate' })
    }
    return outcomes
  }

  return {
    /**
     * Stores new uploads, each together with its `upload.completed` message, and returns what became of each, in order. If
     * an event already has the same bytes under the same credit, nothing is stored for them, and the guest becomes an owner
     * of that upload. The file name is the one that the guest's file had, made unique in its event.
     */
    add: async (newUploads: readonly NewUpload[]): Promise<AddedUpload[]> => {
      const outcomes = new Map<string, AddedUpload>()
      for (let attempt = 0; attempt < MAX_NAME_ATTEMPTS; attempt += 1) {
        const waiting = newUploads.filter(({ _id }) => !outcomes.has(_id))
        if (waiting.length === 0) break
        // The same file may have been written a moment ago, and not last yet.
        if (attempt > 1) await sleep(Math.random() * MAX_PAUSE_MS)
        for (const [id, outcome] of await addUnder(waiting, attempt > 0)) outcomes.set(id, outcome)
      }
      return newUploads.map(({ _id }) => {
        const outcome = outcomes.get(_id)
        if (!outcome) throw uploadBusy()
        return outcome
      })
    },

    /** What became of uploads that were added before, by their ids, whether or not they were deleted since. */
    findAdded: async (ids: readonly string[]): Promise<Map<string, AddedUpload>> => {
      const objectIds = ids.map((id) => new Types.ObjectId(id))
      const added = new Map<string, AddedUpload>()
      for (const document of await findIn(model, '_id', objectIds, withoutOutbox, lasting))
        added.set(document._id.toHexString(), await toRepeated(document))
      return added
    },

    /** The uploads of an event with this credit and with one of these hashes, which have been verified. */
    findByHash: async (
      eventId: string,
      photoCredit: string,
      sha256s: readonly string[],
    ): Promise<StoredUpload[]> => {
      const contentKeys = sha256s.map((sha256) => getContentKey({ eventId, photoCredit, sha256 }))
      return (await findIn(model, 'contentKey', contentKeys, withoutOutbox, lasting)).map(toStoredUpload)
    },

    /**
     * The upload of an event that has the bytes of one that has arrived, under its credit; undefined if there is none. With
     * `isListed`, one that has been taken back is none.
     */
    findByContent: async (
      arrived: ArrivedUpload,
      { isListed }: { isListed: boolean },
    ): Promise<StoredUpload | undefined> => {
      const { eventId, photoCredit, sha256 } = arrived
      // The media worker may not have verified the hash of either.
      const contentKeys = [getContentKey({ eventId, photoCredit, sha256 }), getContentKey(arrived)]
      const found = await findIn(model, 'contentKey', contentKeys, withoutOutbox, lasting)
      const document = found.find(({ deleted }) => !isListed || !deleted)
      return document && toStoredUpload(document)
    },
  }
}
