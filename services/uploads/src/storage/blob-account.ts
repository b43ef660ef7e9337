import type { BlobServiceClient } from '@azure/storage-blob'
import type { Deadline, LinkOptions, LinkSigner } from './link-signer.ts'

/** The container of the uploads in a storage account, and links to its blobs. */
export const createBlobAccount = ({
  service,
  containerName,
  publicUrl,
  linkSigner,
  newCallDeadline,
}: {
  service: BlobServiceClient
  containerName: string
  /** The address at which browsers reach the account, if it differs. */
  publicUrl: string | undefined
  linkSigner: Pick<LinkSigner, 'sign'>
  /** For one call to blob storage, including its retries. */
  newCallDeadline: () => Deadline
}) => {
  const container = service.getContainerClient(containerName)
  const publicBaseUrl = new URL(publicUrl ?? service.url).href.replace(/\/$/, '')
  const sign = (blobName: string, options: LinkOptions): string =>
    linkSigner.sign({ containerName, blobName }, options)

  return {
    service,
    container,
    newCallDeadline,
    /** A link for browsers. */
    signLink: (blobName: string, options: LinkOptions): string =>
      `${publicBaseUrl}/${containerName}/${blobName}?${sign(blobName, options)}`,
    /** A link for blob storage itself, which may not reach its public address. */
    signInternalLink: (blobName: string, options: LinkOptions): string =>
      `${container.getBlobClient(blobName).url}?${sign(blobName, options)}`,
  }
}
export type BlobAccount = ReturnType<typeof createBlobAccount>
