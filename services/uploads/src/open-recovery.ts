import { connectBlobStorage } from '@confetti/blob-storage'
import { connectMongo, createLogger, systemClock } from '@confetti/service-kit'
import type { RecoveryConfig } from './config.ts'
import { createBlobAccount } from './storage/blob-account.ts'
import { createBlobStore } from './storage/blob-store.ts'
import { createDirectBlobs } from './storage/direct-blobs.ts'
import { assertOwner } from './storage/open-blob-storage.ts'
import { createUploadStore, ensureDatabaseId, openStores } from './storage/open-stores.ts'
import { createRecovery, type LostUpload, type RecoveryRequest } from './recovery/recovery.ts'

/** Recovers uploads whether or not the service runs, as `createRecovery` does. Throws if the container is not the database's. */
export const recoverUploads = async (
  config: RecoveryConfig,
  request: RecoveryRequest,
  onUpload: (upload: LostUpload) => void,
): Promise<void> => {
  // The logger is silent: callers report errors.
  const logger = createLogger('recover-uploads', 'fatal')
  const connection = await connectMongo(config.MONGO_URL, logger)
  try {
    const { uploadModel, stores } = await openStores(connection, {
      config: { MAX_CACHED_EVENTS: 1_000 },
      clock: systemClock,
    })
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
    assertOwner(account.container, metadata, await ensureDatabaseId(connection))
    const recover = createRecovery({
      ...stores,
      config,
      clock: systemClock,
      logger: createLogger('recover-uploads', 'error'),
      // There is no relay here: the running service publishes the messages from the outboxes.
      uploads: createUploadStore(
        uploadModel,
        { wakeRelay: () => undefined, publishLeased: () => undefined },
        { config, clock: systemClock, eventTotals: stores.eventTotals, onChanged: () => undefined },
      ),
      blobs: { ...createBlobStore(account, logger), ...createDirectBlobs(account, systemClock) },
    })
    for await (const upload of recover(request)) onUpload(upload)
  } finally {
    await connection.close()
  }
}
