import { connectBlobStorage } from '@confetti/blob-storage'
import { runPeriodically, type Clock, type Lifecycle, type Logger, type Metrics } from '@confetti/service-kit'
import type { Config } from '../config.ts'
import { createBlobAccount } from './blob-account.ts'
import { createArchiveBlobs, createBlobStore } from './blob-store.ts'
import { createDirectBlobs } from './direct-blobs.ts'
import { createLinkSigner } from './link-signer.ts'

interface Deps {
  clock: Clock
  metrics: Metrics
  lifecycle: Lifecycle
  logger: Logger
}

const KEY_RENEWAL_INTERVAL_MS = 3_600_000

/** Connects to blob storage, and keeps the key renewed that links are signed with. */
export const openBlobStorage = async (config: Config, { clock, metrics, lifecycle, logger }: Deps) => {
  const newCallDeadline = () => ({ abortSignal: AbortSignal.timeout(config.BLOB_TIMEOUT_MS) })
  const service = await connectBlobStorage(config, {
    retryOptions: { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  })
  const linkSigner = await createLinkSigner(service, { clock, newCallDeadline, metrics })
  lifecycle.onStop(
    'link key',
    runPeriodically(linkSigner.renewKey, { name: 'link key', intervalMs: KEY_RENEWAL_INTERVAL_MS, logger }),
  )
  const account = createBlobAccount({
    service,
    containerName: config.BLOB_CONTAINER,
    publicUrl: config.BLOB_PUBLIC_URL,
    linkSigner,
    newCallDeadline,
  })
  return {
    blobs: createBlobStore({ account, logger }),
    directBlobs: createDirectBlobs(account, { clock }),
    archiveBlobs: createArchiveBlobs(account),
  }
}
