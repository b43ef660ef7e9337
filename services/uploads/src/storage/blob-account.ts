import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { RestError, type BlobServiceClient, type CorsRule } from '@azure/storage-blob'
import type { Logger } from '@confetti/service-kit'
import type { Deadline, LinkOptions, LinkSigner } from './link-signer.ts'

interface LinkAnswer {
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/**
 * Creates the function that reads a range of a blob by a signed link; undefined if the answer is any other than these bytes.
 * The client of Azure takes three times the processor time for that.
 */
export const createReadByLink = () => {
  const httpAgent = new http.Agent({ keepAlive: true })
  const httpsAgent = new https.Agent({ keepAlive: true })
  const send = (url: string, options: http.RequestOptions): http.ClientRequest =>
    url.startsWith('https:')
      ? https.request(url, { ...options, agent: httpsAgent })
      : http.request(url, { ...options, agent: httpAgent })

  return async (link: string, range: string, signal: AbortSignal): Promise<LinkAnswer | undefined> => {
    const request = send(link, { headers: { range }, signal })
    request.end()
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    if (response.statusCode !== 206) {
      response.resume()
      return undefined
    }
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    return { headers: response.headers, body: Buffer.concat(chunks) }
  }
}
type ReadByLink = ReturnType<typeof createReadByLink>

/** The container of the uploads in a storage account, and links to its blobs. */
export const createBlobAccount = ({
  service,
  containerName,
  publicUrl,
  linkSigner,
  readByLink,
  newCallDeadline,
}: {
  service: BlobServiceClient
  containerName: string
  /** The address at which browsers reach the account, if it differs. */
  publicUrl: string | undefined
  linkSigner: Pick<LinkSigner, 'sign'>
  /** Undefined where all is read by the client of Azure. */
  readByLink?: ReadByLink
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
    readByLink,
    newCallDeadline,
    /** For `/readyz`. */
    check: () => container.getProperties({ abortSignal: AbortSignal.timeout(2_000) }),
    /** A link for browsers. */
    signLink: (blobName: string, options: LinkOptions): string =>
      `${publicBaseUrl}/${containerName}/${blobName}?${sign(blobName, options)}`,
    /** A link for blob storage itself, which may not reach its public address. */
    signInternalLink: (blobName: string, options: LinkOptions): string =>
      `${container.getBlobClient(blobName).url}?${sign(blobName, options)}`,
  }
}
export type BlobAccount = ReturnType<typeof createBlobAccount>

const ruleFor = (origins: string): CorsRule => ({
  allowedOrigins: origins,
  allowedMethods: 'GET,HEAD,PUT,OPTIONS',
  allowedHeaders: '*',
  exposedHeaders: '*',
  maxAgeInSeconds: 7_200,
})

// Other installations may write the rules at the same time, and there is no condition for a write.
const MAX_WRITES = 5
const CHECK_DELAY_MS = 500

const undefinedIf =
  (...statusCodes: number[]) =>
  (error: unknown): undefined => {
    if (error instanceof RestError && statusCodes.includes(error.statusCode ?? 0)) return undefined
    throw error
  }

/**
 * Lets pages of `origins`, separated by commas, read and write blobs with signed links. CORS rules belong to the whole
 * storage account: it replaces the rule for `previousOrigins`, and leaves all others. False, with a warning, if that is not
 * possible: Azure's roles for the data of an account do not include it, and an account has at most five rules.
 */
export const allowBrowsers = async (
  service: Pick<BlobServiceClient, 'getProperties' | 'setProperties'>,
  {
    origins,
    previousOrigins,
    logger,
  }: { origins: string; previousOrigins?: string | undefined; logger: Pick<Logger, 'warn'> },
): Promise<boolean> => {
  const rule = ruleFor(origins)
  const isOurs = ({ allowedOrigins, allowedMethods }: CorsRule): boolean =>
    [origins, previousOrigins].includes(allowedOrigins) && allowedMethods === rule.allowedMethods

  for (let write = 0; write < MAX_WRITES; write += 1) {
    const properties = await service.getProperties().catch(undefinedIf(403))
    const { cors = [] } = properties ?? {}
    const [existing, ...others] = cors.filter(isOurs)
    const isCurrent = existing?.allowedOrigins === origins
    if (isCurrent && others.length === 0) return true
    const response =
      properties &&
      (await service
        .setProperties({ cors: [...cors.filter((other) => !isOurs(other)), rule] })
        .catch(undefinedIf(400, 403)))
    if (!response) {
      logger.warn(
        { existing: cors.map(({ allowedOrigins }) => allowedOrigins) },
        'cannot set CORS rules of the storage account: no permission, or it has five; pages need one that is set by hand',
      )
      return false
    }
    await sleep(CHECK_DELAY_MS)
  }
  return true
}
