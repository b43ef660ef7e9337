import { connectBlobStorage } from '@confetti/blob-storage'
import {
  connectMongo,
  createEventCopyModel,
  createLogger,
  readEventCopy,
  systemClock,
  type Clock,
} from '@confetti/service-kit'
import type { RecoveryConfig } from './config.ts'
import { createBlobAccount } from './storage/blob-account.ts'
import { createBlobStore } from './storage/blob-store.ts'
import { createDirectBlobs } from './storage/direct-blobs.ts'
import { createHighWaterMark } from './storage/high-water-mark-store.ts'
import { assertOwner } from './storage/open-blob-storage.ts'
import { createUploadStore, readDatabaseId } from './storage/open-stores.ts'
import { createUploadModel } from './storage/upload-model.ts'
import { createRecovery, type LostUpload, type RecoveryRequest } from './recovery/recovery.ts'

/**
 * Recovers uploads whether or not the service runs, as `createRecovery` does. Throws if the container is not the database's.
 * Indexes, ids and other preparations are left to the service: nothing is written that is not asked for.
 */
export const recoverUploads = async (
  config: RecoveryConfig,
  request: RecoveryRequest,
  onUpload: (upload: LostUpload) => void,
  clock: Clock = systemClock,
): Promise<void> => {
  // The logger is silent: callers report errors.
  const logger = createLogger('recover-uploads', 'fatal')
  const connection = await connectMongo(config.MONGO_URL, logger)
  try {
    const eventCopies = createEventCopyModel(connection)
    const account = createBlobAccount({
      service: await connectBlobStorage(config),
      containerName: config.BLOB_CONTAINER,
      publicUrl: undefined,
      linkSigner: {
        sign: () => {
          throw new Error('No links are signed here')
        },
      },
      newCallDeadline: () => ({ abortSignal: AbortSignal.timeout(config.BLOB_TIMEOUT_MS) }),
    })
    const { metadata = {} } = await account.container.getProperties()
    assertOwner(account.container, metadata, await readDatabaseId(connection))
    const recover = createRecovery({
      config,
      listEvents: async () => (await eventCopies.find().lean()).map(readEventCopy),
      highWaterMark: createHighWaterMark(connection),
      clock,
      logger: createLogger('recover-uploads', 'error'),
      // There is no relay here: the running service publishes the messages from the outboxes.
      uploads: createUploadStore(
        createUploadModel(connection),
        { wakeRelay: () => undefined, publishLeased: () => undefined },
        // The service counts what events have stored once a day, and finds changes in the database.
        { config, clock, eventTotals: { add: () => undefined }, onChanged: () => undefined },
      ),
      blobs: { ...createBlobStore(account, logger), ...createDirectBlobs(account, clock) },
    })
    for await (const upload of recover(request)) onUpload(upload)
  } finally {
    await connection.close()
  }
}
