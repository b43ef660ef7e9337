import { BlobServiceClient, type StoragePipelineOptions } from '@azure/storage-blob'
import { z } from 'zod'

/** The storage account, and how to sign in to it: one of the first two is set. */
export const blobConfig = z.object({
  /** Address and key of the account. */
  BLOB_CONNECTION_STRING: z.string().min(1).optional(),
  /** Address of an Azure account that the managed identity of this process has access to. */
  BLOB_ACCOUNT_URL: z.url().optional(),
  BLOB_CONTAINER: z.string().min(3).default('confetti'),
})
type BlobConfig = z.infer<typeof blobConfig>

/**
 * Connects to the storage account, with the key in `BLOB_CONNECTION_STRING` or, at `BLOB_ACCOUNT_URL`, with the identity
 * that `DefaultAzureCredential` finds. Throws if not exactly one of them is set.
 */
export const connectBlobStorage = async (
  {
    BLOB_CONNECTION_STRING: connectionString,
    BLOB_ACCOUNT_URL: accountUrl,
  }: Pick<BlobConfig, 'BLOB_CONNECTION_STRING' | 'BLOB_ACCOUNT_URL'>,
  options: StoragePipelineOptions = {},
): Promise<BlobServiceClient> => {
  if (connectionString && !accountUrl)
    return BlobServiceClient.fromConnectionString(connectionString, options)
  if (!accountUrl || connectionString)
    throw new Error('BLOB_CONNECTION_STRING, BLOB_ACCOUNT_URL: set one of them')
  // Loaded only where it is used, for its size.
  const { DefaultAzureCredential } = await import('@azure/identity')
  return new BlobServiceClient(accountUrl, new DefaultAzureCredential(), options)
}
