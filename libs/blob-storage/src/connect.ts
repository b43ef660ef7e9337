import { BlobServiceClient, type StoragePipelineOptions } from '@azure/storage-blob'
import type { BlobConfig } from './config.ts'

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
