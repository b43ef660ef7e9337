import { RestError, type BlobServiceClient, type CorsRule } from '@azure/storage-blob'

// Methods of the rule that version 0.1 created.
const READ_METHODS = 'GET,HEAD,OPTIONS'

const ruleFor = (origins: string): CorsRule => ({
  allowedOrigins: origins,
  allowedMethods: 'GET,HEAD,PUT,OPTIONS',
  allowedHeaders: '*',
  exposedHeaders: '*',
  maxAgeInSeconds: 7_200,
})

const undefinedIfForbidden = (error: unknown): undefined => {
  if (error instanceof RestError && error.statusCode === 403) return undefined
  throw error
}

/**
 * Lets pages of `origins`, separated by commas, read and write blobs with signed links. CORS rules belong to the whole
 * storage account: it replaces the rule for `previousOrigins`, and leaves all others. False if that is not permitted:
 * Azure's roles for the data of an account do not include it.
 */
export const allowBrowsers = async (
  service: BlobServiceClient,
  origins: string,
  previousOrigins: string | undefined,
): Promise<boolean> => {
  const properties = await service.getProperties().catch(undefinedIfForbidden)
  if (!properties) return false
  const { cors = [] } = properties
  const rule = ruleFor(origins)
  const isOurs = ({ allowedOrigins, allowedMethods }: CorsRule): boolean =>
    [origins, previousOrigins].includes(allowedOrigins) &&
    [rule.allowedMethods, READ_METHODS].includes(allowedMethods)
  const [existing, ...others] = cors.filter(isOurs)
  const isCurrent = existing?.allowedOrigins === origins && existing.allowedMethods === rule.allowedMethods
  if (isCurrent && others.length === 0) return true
  const response = await service
    .setProperties({ cors: [...cors.filter((other) => !isOurs(other)), rule] })
    .catch(undefinedIfForbidden)
  return response !== undefined
}
