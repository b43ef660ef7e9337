import {
  isDuplicateKey,
  pickDefined,
  throwIfAny,
  tryEach,
  unavailable,
  upsertWithRetry,
} from '@confetti/service-kit'
import { Schema, type Connection, type QueryFilter } from 'mongoose'
import type { Archive, ArchiveEntry, CopiesOf } from '../archives/entries.ts'
import type { PageLengths } from '../archives/zip-layout.ts'
import type { Capture } from '../capture-time.ts'
import type { ArchivableUpload, StoredUpload } from '../upload.ts'
import {
  captureFields,
  captureOf,
  findUploadIds,
  toStoredUpload,
  withoutOutbox,
  type UploadModel,
} from './upload-model.ts'

interface ArchiveDocument {
  _id: string
  eventId: string
  linkKey: string
  createdAt: Date
  expiresAt: Date
  pages: PageLengths[]
  copies?: CopiesOf
  /** Set before its pages are removed: from then on it must not be used again. */
  isRemoving?: boolean
}

/** A page of entries, in a document of its own: the list of a large event does not fit into one. */
interface PageDocument {
  /** `archiveId/index`. */
  _id: string
  archiveId: string
  entries: ArchiveEntry[]
}

const createArchiveModels = (connection: Connection) => ({
  archives: connection.model<ArchiveDocument>(
    'Archive',
    new Schema<ArchiveDocument>({
      _id: String,
      eventId: { type: String, required: true },
      linkKey: { type: String, required: true },
      createdAt: { type: Date, required: true },
      expiresAt: { type: Date, required: true },
      pages: [{ _id: false, files: Number, filesBytes: Number, directoryBytes: Number }],
      copies: { type: { guestId: String, isOwn: Boolean }, _id: false, default: undefined },
      isRemoving: Boolean,
    })
      .index({ expiresAt: 1 })
      .index({ eventId: 1 }),
  ),
  pages: connection.model<PageDocument>(
    'ArchivePage',
    new Schema<PageDocument>({
      _id: String,
      archiveId: { type: String, required: true },
      entries: [Schema.Types.Mixed],
    }).index({ archiveId: 1 }),
  ),
})

const pageId = (archiveId: string, index: number): string => `${archiveId}/${index}`

/** Creates the store of archives in a database, and its indexes. */
export const createArchiveStore = async (connection: Connection) => {
  const { archives, pages } = createArchiveModels(connection)
  for (const model of [archives, pages]) await model.createIndexes()
  /** Removes an archive if it still matches `filter`. Returns whether it did. */
  const remove = async (_id: string, filter: QueryFilter<ArchiveDocument> = {}): Promise<boolean> => {
    const marked = await archives.updateOne({ _id, ...filter }, { isRemoving: true })
    if (marked.matchedCount === 0) return false
    await pages.deleteMany({ archiveId: _id })
    await archives.deleteOne({ _id })
    return true
  }

  /** Removes the archives that match `filter`, until the service stops. Returns how many. One that fails stops no other. */
  const removeAll = async (
    filter: QueryFilter<ArchiveDocument>,
    stopping: AbortSignal | undefined,
  ): Promise<number> => {
    let removed = 0
    const found = await archives.find(filter, { _id: 1 }).lean()
    const errors = await tryEach(
      found,
      async ({ _id }) => {
        // A link that was created meanwhile keeps one that had expired.
        if (await remove(_id, filter)) removed += 1
      },
      { ...(stopping && { stopping }) },
    )
    throwIfAny(errors, 'some archives were not removed')
    return removed
  }

  return {
    /**
     * Stores an archive with its pages of entries and returns it. One that exists keeps its link key and lives until the
     * later `expiresAt`. Throws `unavailable` while it is being removed.
     */
    save: async (
      { _id, expiresAt, ...archive }: Archive,
      pagesOfEntries: readonly (readonly ArchiveEntry[])[],
    ): Promise<Archive> => {
      // The archive first: whatever is left when the process dies here, the sweep finds by it.
      const stored = await upsertWithRetry(() =>
        archives
          .findOneAndUpdate(
            { _id, isRemoving: null },
            { $setOnInsert: { ...archive, pages: [...archive.pages] }, $max: { expiresAt } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean(),
      ).catch((error: unknown) => {
        if (isDuplicateKey(error))
          throw unavailable('The download is being prepared. Please try again in a moment.', 2, error)
        throw error
      })
      for (const [index, entries] of pagesOfEntries.entries())
        await pages
          .create({ _id: pageId(_id, index), archiveId: _id, entries: [...entries] })
          .catch((error: unknown) => {
            if (!isDuplicateKey(error)) throw error
          })
      return stored
    },

    find: async (archiveId: string): Promise<Archive | undefined> =>
      (await archives.findOne({ _id: archiveId, isRemoving: null }).lean()) ?? undefined,

    /** A page of entries; undefined if the archive has been removed. */
    loadPage: async (archiveId: string, index: number): Promise<readonly ArchiveEntry[] | undefined> =>
      (await pages.findById(pageId(archiveId, index)).lean())?.entries,

    /** Whether the archive has one of these uploads. */
    hasAnyOf: async (archiveId: string, uploadIds: readonly string[]): Promise<boolean> =>
      (await pages.exists({ archiveId, 'entries.uploadId': { $in: uploadIds } })) !== null,

    /** Removes all archives that expired before `before`. Returns how many. */
    removeExpired: (before: Date, stopping: AbortSignal): Promise<number> =>
      removeAll({ expiresAt: { $lt: before } }, stopping),

    /** Removes all archives of an event. */
    removeOfEvent: async (eventId: string, stopping?: AbortSignal): Promise<void> => {
      await removeAll({ eventId }, stopping)
    },
  }
}

/** What archives need of uploads. */
export const createArchivableUploads = (model: UploadModel) => ({
  /** All uploads of an event, or those of `ids` that it has, in no order. */
  listForArchive: async (eventId: string, ids?: readonly string[]): Promise<ArchivableUpload[]> => {
    const projection = {
      filename: 1,
      photoCredit: 1,
      size: 1,
      crc32: 1,
      ...captureFields,
    } as const
    const selected = ids && { _id: { $in: ids } }
    const documents = await model.find({ eventId, deleted: false, ...selected }, projection).lean()
    return documents.map((document) => ({
      _id: document._id.toHexString(),
      ...pickDefined(document, ['filename', 'photoCredit', 'size', 'crc32']),
      capture: captureOf(document),
    }))
  },

  /**
   * What a guest may save of an event: what other guests see if `isGalleryOpen`, and what this guest has sent; of `ids` only,
   * if they are given. At most `limit`.
   */
  listSaveable: async (
    eventId: string,
    {
      ids,
      guestId,
      isGalleryOpen,
      isOwn,
      limit,
    }: CopiesOf & { ids?: readonly string[] | undefined; isGalleryOpen: boolean; limit: number },
  ): Promise<(StoredUpload & { capture: Capture })[]> => {
    const own = guestId === undefined ? [] : [{ guestId }]
    const shown = isGalleryOpen && !isOwn ? [{ visibility: null }] : []
    // Without a choice, all is what the gallery shows.
    const $or = (ids ?? isOwn) ? [...own, ...shown] : shown
    if ($or.length === 0) return []
    const filter = {
      eventId,
      deleted: false,
      status: 'ready' as const,
      $or,
      ...(ids && { _id: { $in: ids } }),
    }
    const documents = await model.find(filter, withoutOutbox).limit(limit).lean()
    return documents.map((document) => ({ ...toStoredUpload(document), capture: captureOf(document) }))
  },

  /** The ids of an event's uploads that guests do not see, but those of this guest. */
  listHiddenFrom: (eventId: string, guestId: string | undefined): Promise<string[]> =>
    findUploadIds(model, {
      eventId,
      deleted: false,
      visibility: { $in: ['pending', 'hidden'] },
      ...(guestId !== undefined && { guestId: { $ne: guestId } }),
    }),

  /** Stores what is known of the rendition of a video. */
  setRenditionFile: async (id: string, copy: NonNullable<StoredUpload['copy']>): Promise<void> => {
    await model.updateOne({ _id: id, copy: null }, { $set: { copy } })
  },

  /** Marks the rendition of a video, whose blob is missing, as missing: the next sweep requests it. */
  requestLostRendition: async (id: string, now: Date): Promise<void> => {
    const lost = { $unset: { hasRendition: '' }, $set: { renditionDueAt: now } } as const
    await model.updateOne({ _id: id, copy: null }, lost)
  },

  /** The ids of an event's uploads that were deleted at `since` or later; those of the last day at least. */
  listDeletedSince: async (eventId: string, since: Date): Promise<string[]> => {
    const documents = await model
      .find({ eventId, deleted: true, deletedAt: { $gte: since } }, { _id: 1 })
      .lean()
    return documents.map(({ _id }) => _id.toHexString())
  },

  /** Stores the CRC-32 of an upload's original. */
  setCrc32: async (id: string, crc32: number): Promise<void> => {
    await model.updateOne({ _id: id }, { $set: { crc32 } })
  },
})
