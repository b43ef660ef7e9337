import {
  BlobSASPermissions,
  BlobServiceClient,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
  type BlobSASSignatureValues,
} from '@azure/storage-blob'
import { newDeadline } from '../ingest/staged-blob.ts'

// Azure accepts signed requests from clocks that differ from its own by up to 15 minutes; so do our links.
const CLOCK_SKEW_MS = 15 * 60_000

export interface LinkOptions extends Pick<BlobSASSignatureValues, 'contentDisposition' | 'contentType'> {
  /** `r` reads, `c` creates a blob that does not exist, `w` writes. */
  permissions: 'r' | 'c' | 'w'
  /** When the link starts to be valid by an exact clock. Clocks that are 15 minutes slow accept it as well. */
  startsAt: Date
  expiresAt: Date
}

/** The container of the uploads in a storage account, and the links that its key signs. */
export const createBlobAccount = ({
  connectionString,
  containerName,
  publicUrl,
  callTimeoutMs,
}: {
  connectionString: string
  containerName: string
  /** The address at which browsers reach the account, if it differs. */
  publicUrl: string | undefined
  /** For one call to blob storage, including its retries. */
  callTimeoutMs: number
}) => {
  const service = BlobServiceClient.fromConnectionString(connectionString, {
    retryOptions: { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  })
  const credential = service.credential
  if (!(credential instanceof StorageSharedKeyCredential))
    throw new Error('BLOB_CONNECTION_STRING: needs an account key, which signs links')
  const container = service.getContainerClient(containerName)
  const publicBaseUrl = new URL(publicUrl ?? service.url).href.replace(/\/$/, '')

  const signature = (
    blobName: string,
    { permissions, startsAt, expiresAt, ...responseHeaders }: LinkOptions,
  ): string =>
    generateBlobSASQueryParameters(
      {
        containerName,
        blobName,
        permissions: BlobSASPermissions.parse(permissions),
        startsOn: new Date(startsAt.getTime() - CLOCK_SKEW_MS),
        expiresOn: expiresAt,
        ...responseHeaders,
      },
      credential,
    ).toString()

  return {
    service,
    container,
    newCallDeadline: () => newDeadline(callTimeoutMs),
    /** A link for browsers. */
    signLink: (blobName: string, options: LinkOptions): string =>
      `${publicBaseUrl}/${containerName}/${blobName}?${signature(blobName, options)}`,
    /** A link for blob storage itself, which may not reach its public address. */
    signInternalLink: (blobName: string, options: LinkOptions): string =>
      `${container.getBlobClient(blobName).url}?${signature(blobName, options)}`,
  }
}
export type BlobAccount = ReturnType<typeof createBlobAccount>
