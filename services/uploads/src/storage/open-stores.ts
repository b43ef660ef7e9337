import { randomUUID } from 'node:crypto'
import type { OutboxRelay } from '@confetti/messaging'
import { createErasedIds, createEventCopyModel, upsertWithRetry, type Clock } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import { renditionTimeoutMs, type Config } from '../config.ts'
import { createArchivableUploads, createArchiveStore } from './archive-store.ts'
import { createCaptureStore } from './capture-store.ts'
import { createChangeUpload } from './change-upload.ts'
import { createErasureStore } from './erasure-store.ts'
import { createEventStore } from './event-store.ts'
import { createEventTotals } from './event-totals.ts'
import { createFeedStore } from './feed-store.ts'
import { createGalleryStore } from './gallery-store.ts'
import { createHighWaterMark } from './high-water-mark-store.ts'
import { countKept, createLibraryStore, createRenameStore } from './library-store.ts'
import { createOverdueStore } from './overdue-store.ts'
import { createOwnLinkStore } from './own-link-store.ts'
import { createResultStore } from './result-store.ts'
import { createSendingStore } from './sending-store.ts'
import { createSweepStore } from './sweep-store.ts'
import { createUploadModel, type OnDeleted, type UploadModel } from './upload-model.ts'
import { createUploadOwners } from './upload-owners.ts'

const createIdentities = (connection: Connection) =>
  connection.model('Identity', new Schema({ _id: String, value: String }))

/** The id that `ensureDatabaseId` has created. */
export const readDatabaseId = async (connection: Connection): Promise<string | undefined> =>
  (await createIdentities(connection).findById('database').lean())?.value ?? undefined

/** The random id of this database, created on first use. It marks the blob container that belongs to the database. */
export const ensureDatabaseId = async (connection: Connection): Promise<string> => {
  const identities = createIdentities(connection)
  const identity = await upsertWithRetry(() =>
    identities.findOneAndUpdate(
      { _id: 'database' },
      { $setOnInsert: { value: randomUUID() } },
      { upsert: true, returnDocument: 'after' },
    ),
  )
  return String(identity.value)
}

interface ErasedTagDocument {
  /** The tag that ids of the event's uploads have: the id of the event cannot be read from it. */
  _id: string
  linksExpireAt: Date
}

// They are kept for about an hour. What exceeds this is removed as orphans, later.
const MAX_LISTED = 10_000

/** The tags of deleted events for which guests may still have links: what they send is removed again. */
const createLingeringLinks = async (connection: Connection) => {
  const model = connection.model<ErasedTagDocument>(
    'ErasedTag',
    new Schema<ErasedTagDocument>({ _id: String, linksExpireAt: { type: Date, required: true } }).index({
      linksExpireAt: 1,
    }),
  )
  await model.createIndexes()
  return {
    add: async (tag: string, linksExpireAt: Date): Promise<void> => {
      await upsertWithRetry(() =>
        model.updateOne({ _id: tag }, { $set: { linksExpireAt } }, { upsert: true }),
      )
    },
    list: async (): Promise<string[]> => (await model.find().limit(MAX_LISTED).lean()).map(({ _id }) => _id),
    /** Removes those whose links expired before `before`, except those of which something is left. */
    removeExpired: async (before: Date, { except }: { except: string[] }): Promise<void> => {
      await model.deleteMany({ _id: { $nin: except }, linksExpireAt: { $lt: before } })
    },
  }
}

/** Creates the stores of the service in its database, and their indexes. That of uploads needs the relay, too. */
export const openStores = async (
  connection: Connection,
  { config, clock }: { config: Pick<Config, 'MAX_CACHED_EVENTS'>; clock: Clock },
) => {
  const uploadModel = createUploadModel(connection)
  await uploadModel.createIndexes()
  const erasedIds = await createErasedIds(connection, clock)
  return {
    uploadModel,
    stores: {
      archives: await createArchiveStore(connection),
      eventCopies: createEventStore(createEventCopyModel(connection, { captures: Object, copies: Object }), {
        maxCached: config.MAX_CACHED_EVENTS,
        erasedIds,
        clock,
      }),
      erasedIds,
      eventTotals: await createEventTotals(connection, {
        count: (eventId) => countKept(uploadModel, eventId),
        isErased: erasedIds.has,
        clock,
      }),
      lingeringLinks: await createLingeringLinks(connection),
      ownLinks: await createOwnLinkStore(connection),
      highWaterMark: createHighWaterMark(connection),
      ...(await createSweepStore(connection, clock)),
    },
  }
}
export type Stores = Awaited<ReturnType<typeof openStores>>['stores']

/** What the capabilities do with uploads, each by the functions of its own file. */
export const createUploadStore = (
  model: UploadModel,
  { wakeRelay, publishLeased }: Pick<OutboxRelay, 'wakeRelay' | 'publishLeased'>,
  {
    config,
    clock,
    eventTotals,
    onChanged,
  }: {
    config: Pick<Config, 'PROCESSING_TIMEOUT_MS'>
    clock: Clock
    eventTotals: Pick<Stores['eventTotals'], 'add'>
    /** Called when what lists show of an upload of this event has changed, unless it is new. */
    onChanged: (eventId: string) => void
  },
) => {
  const onDeleted: OnDeleted = ({ eventId, size }) => {
    eventTotals.add(eventId, { files: -1, bytes: -size })
    onChanged(eventId)
  }
  const change = createChangeUpload(model, { wakeRelay, onChanged, clock })
  const owners = createUploadOwners(model, { change, onDeleted })
  return {
    ...owners,
    ...createSendingStore(model, {
      processingTimeoutMs: config.PROCESSING_TIMEOUT_MS,
      publishLeased,
      addOwners: owners.addOwners,
      findStaying: owners.findStaying,
      clock,
    }),
    ...createLibraryStore(model, { change, wakeRelay, onDeleted }),
    ...createFeedStore(model),
    ...createGalleryStore(model, change),
    ...createRenameStore(model, { change, mergeInto: owners.mergeInto }),
    ...createArchivableUploads(model),
    ...createResultStore(model, change, { clock, renditionTimeoutMs: renditionTimeoutMs(config) }),
    ...createCaptureStore(model, clock),
    ...createOverdueStore(model, { change, wakeRelay }),
    ...createErasureStore(model, { wakeRelay, onDeleted }),
  }
}
export type UploadStore = ReturnType<typeof createUploadStore>
