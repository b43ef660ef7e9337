import type { BlobServiceClient, CorsRule } from '@azure/storage-blob'

const ruleFor = (origins: string): CorsRule => ({
  allowedOrigins: origins,
  allowedMethods: 'GET,HEAD,OPTIONS',
  allowedHeaders: '*',
  exposedHeaders: '*',
  maxAgeInSeconds: 7_200,
})

/**
 * Lets pages of `origins`, separated by commas, read blobs. CORS rules belong to the whole storage account: it replaces
 * the rule for `previousOrigins`, and leaves all others.
 */
export const allowReading = async (
  service: BlobServiceClient,
  origins: string,
  previousOrigins: string | undefined,
): Promise<void> => {
  const { cors = [] } = await service.getProperties()
  const rule = ruleFor(origins)
  const isOurs = (other: CorsRule): boolean =>
    [origins, previousOrigins].includes(other.allowedOrigins) && other.allowedMethods === rule.allowedMethods
  const [existing, ...others] = cors.filter(isOurs)
  if (existing?.allowedOrigins === origins && others.length === 0) return
  await service.setProperties({ cors: [...cors.filter((other) => !isOurs(other)), rule] })
}
