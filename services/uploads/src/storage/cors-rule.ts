import type { BlobServiceClient, CorsRule } from '@azure/storage-blob'

// Of the rule that versions before direct uploads added.
const READ_METHODS = 'GET,HEAD,OPTIONS'

const ruleFor = (origins: string): CorsRule => ({
  allowedOrigins: origins,
  allowedMethods: 'GET,HEAD,PUT,OPTIONS',
  allowedHeaders: '*',
  exposedHeaders: '*',
  maxAgeInSeconds: 7_200,
})

/**
 * Lets pages of `origins`, separated by commas, read and write blobs with signed links. CORS rules belong to the whole storage account: it replaces
 * the rule for `previousOrigins`, and leaves all others.
 */
export const allowBrowsers = async (
  service: BlobServiceClient,
  origins: string,
  previousOrigins: string | undefined,
): Promise<void> => {
  const { cors = [] } = await service.getProperties()
  const rule = ruleFor(origins)
  const isOurs = ({ allowedOrigins, allowedMethods }: CorsRule): boolean =>
    [origins, previousOrigins].includes(allowedOrigins) &&
    [rule.allowedMethods, READ_METHODS].includes(allowedMethods)
  const [existing, ...others] = cors.filter(isOurs)
  const isCurrent = existing?.allowedOrigins === origins && existing.allowedMethods === rule.allowedMethods
  if (isCurrent && others.length === 0) return
  await service.setProperties({ cors: [...cors.filter((other) => !isOurs(other)), rule] })
}
