import { connectBlobStorage } from '@confetti/blob-storage'
import type { Logger, Service } from '@confetti/service-kit'
import type { Config } from '../config.ts'
import type { UploadBlobs } from '../upload-blobs.ts'
import { allowBrowsers, createBlobAccount, createReadByLink, type BlobAccount } from './blob-account.ts'
import { createBlobStore } from './blob-store.ts'
import { changeContainerMetadataInTurn } from './container-metadata.ts'
import { createDirectBlobs } from './direct-blobs.ts'
import { createLinkSigner } from './link-signer.ts'

const KEY_RENEWAL_INTERVAL_MS = 3_600_000

// The metadata of the container that holds the origins of its CORS rule: rules have no names.
const READERS = 'readers'

/** Throws if the container belongs to another database than `owner`: its blobs would count as orphans. */
export const assertOwner = (
  { containerName }: Pick<BlobAccount['container'], 'containerName'>,
  { owner: found }: Record<string, string>,
  owner: string | undefined,
): void => {
  if (found && found !== owner)
    throw new Error(
      `BLOB_CONTAINER: ${containerName} belongs to another database. Each database needs a container of its own.`,
    )
}

/**
 * Creates the container and lets pages of `origins` read from it and write by links. Throws if the container belongs to
 * another database than `owner`.
 */
const prepareContainer = async (
  { service, container, newCallDeadline }: BlobAccount,
  { origins, owner, logger }: { origins: readonly string[]; owner: string; logger: Logger },
): Promise<void> => {
  await container.createIfNotExists({ metadata: { owner } })
  const { metadata = {} } = await container.getProperties()
  assertOwner(container, metadata, owner)
  const readers = origins.join(',')
  const isAllowed = await allowBrowsers(service, {
    origins: readers,
    previousOrigins: metadata[READERS],
    logger,
  })
  if (!metadata.owner || (isAllowed && metadata[READERS] !== readers))
    await changeContainerMetadataInTurn(container, newCallDeadline, (current) => {
      assertOwner(container, current, owner)
      return { ...current, owner, ...(isAllowed && { [READERS]: readers }) }
    })
}

/**
 * Connects to blob storage, prepares the container of the database with the id `owner`, and keeps the key renewed that links
 * are signed with.
 */
export const openBlobStorage = async (
  config: Config,
  owner: string,
  { clock, registry, logger, health, runEvery }: Service,
): Promise<UploadBlobs> => {
  const newCallDeadline = () => ({ abortSignal: AbortSignal.timeout(config.BLOB_TIMEOUT_MS) })
  const service = await connectBlobStorage(config, {
    retryOptions: { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  })
  const linkSigner = await createLinkSigner(service, { clock, newCallDeadline, metrics: registry })
  runEvery(KEY_RENEWAL_INTERVAL_MS, 'link key', linkSigner.renewKey)
  const account = createBlobAccount({
    service,
    containerName: config.BLOB_CONTAINER,
    publicUrl: config.BLOB_PUBLIC_URL,
    linkSigner,
    readByLink: createReadByLink(),
    newCallDeadline,
  })
  health.check('blob', account.check)
  await prepareContainer(account, { origins: config.SHELL_ORIGINS, owner, logger })
  return { ...createBlobStore(account, logger), ...createDirectBlobs(account, clock) }
}
