import type { IncomingHttpHeaders } from 'node:http'
import { MB, maxUploadRequestBytes } from '@confetti/contracts'
import { invalid, tooLarge } from '@confetti/service-kit'
import type { Config } from './config.ts'
import type { PublicRoute } from './route-table.ts'

const megabytes = (bytes: number): string => `${Math.floor(bytes / MB).toLocaleString('en')} MB`

/** Refuses, by its headers alone, a body that its service would refuse after reading it. */
export const createBodyCheck = (config: Config) => {
  const maxUploadBytes = maxUploadRequestBytes(config)
  return (route: PublicRoute, headers: IncomingHttpHeaders): void => {
    const bytes = Number(headers['content-length'] ?? 0)
    const encoding = headers['transfer-encoding']
    // Node frames no body on a GET or DELETE that it sends: it would look like a second request to the service.
    if (!route.takesBody && (bytes > 0 || encoding !== undefined))
      throw invalid('This call takes no content.')
    if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
      throw invalid('The request could not be read.')
    if (route.multipart && bytes > maxUploadBytes)
      throw tooLarge(
        `That is more than ${megabytes(maxUploadBytes)} at once. Please send fewer or smaller files.`,
      )
    if (!route.multipart && bytes > config.MAX_JSON_BYTES) throw tooLarge('The request is too large.')
  }
}
