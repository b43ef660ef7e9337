import { randomUUID } from 'node:crypto'
import { createErasedIds, createEventCopyModel, upsertWithRetry, type Clock } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { LingeringLinks } from '../erasure/erase-event.ts'
import { createArchiveStore } from './archive-store.ts'
import { createEventStore } from './event-store.ts'
import { createUploadModel } from './upload-model.ts'

/** The random id of this database, created on first use. It marks the blob container that belongs to the database. */
export const ensureDatabaseId = async (connection: Connection): Promise<string> => {
  const identities = connection.model('Identity', new Schema({ _id: String, value: String }))
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

const createLingeringLinks = (connection: Connection): LingeringLinks => {
  const model = connection.model<ErasedTagDocument>(
    'ErasedTag',
    new Schema<ErasedTagDocument>({ _id: String, linksExpireAt: { type: Date, required: true } }),
  )
  return {
    add: async (tag, linksExpireAt) => {
      await upsertWithRetry(() =>
        model.updateOne({ _id: tag }, { $set: { linksExpireAt } }, { upsert: true }),
      )
    },
    list: async () => (await model.find().limit(MAX_LISTED).lean()).map(({ _id }) => _id),
    removeExpired: async (before) => {
      await model.deleteMany({ linksExpireAt: { $lt: before } })
    },
  }
}

/** Creates the stores of the service in its database, and their indexes. That of uploads needs the relay, too. */
export const openStores = async (connection: Connection, clock: Clock) => {
  const uploadModel = createUploadModel(connection)
  await uploadModel.createIndexes()
  const erasedIds = createErasedIds(connection, clock)
  return {
    uploadModel,
    stores: {
      archives: await createArchiveStore(connection),
      eventCopies: createEventStore(createEventCopyModel(connection), { erasedIds, clock }),
      erasedIds,
      lingeringLinks: createLingeringLinks(connection),
    },
  }
}
