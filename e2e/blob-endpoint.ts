/** The URL of the storage account in a connection string. */
export const getBlobEndpoint = (connectionString: string): string => {
  const endpoint = /BlobEndpoint=([^;]+)/.exec(connectionString)?.[1]
  if (!endpoint) throw new Error('The connection string has no BlobEndpoint')
  return endpoint
}
