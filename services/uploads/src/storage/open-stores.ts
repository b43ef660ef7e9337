import { createErasedIds, createEventCopyModel, type Clock } from '@confetti/service-kit'
import type { Connection } from 'mongoose'
import { createArchiveModels, createArchiveStore } from './archive-store.ts'
import { createErasedTags } from './erased-tags.ts'
import { createEventStore } from './event-store.ts'
import { createUploadModel } from './upload-model.ts'

/** Creates the stores of the service in its database, and their indexes. That of uploads needs the relay, too. */
export const openStores = async (connection: Connection, clock: Clock) => {
  const uploadModel = createUploadModel(connection)
  const archiveModels = createArchiveModels(connection)
  for (const model of [uploadModel, archiveModels.archives, archiveModels.pages]) await model.createIndexes()
  const erasedIds = createErasedIds(connection, clock)
  return {
    uploadModel,
    archives: createArchiveStore(archiveModels),
    events: createEventStore({ model: createEventCopyModel(connection), erasedIds, clock }),
    erasedIds,
    erasedTags: createErasedTags(connection),
  }
}
