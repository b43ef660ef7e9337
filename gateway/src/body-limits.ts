import type { IncomingHttpHeaders } from 'node:http'
import { MB, maxUploadRequestBytes } from '@confetti/contracts'
import { invalid, tooLarge } from '@confetti/service-kit'
import type { Config } from './config.ts'
import type { PublicRoute } from './route-table.ts'

const megabytes = (bytes: number): string => `${Math.floor(bytes / MB).toLocaleString('en')} MB`

/** Creates a check that rejects a body by its headers alone, where its service would reject it after reading it. */
export const createBodyCheck = (config: Config) => {
  const maxUploadBytes = maxUploadRequestBytes(config)
  return (route: PublicRoute, headers: IncomingHttpHeaders): void => {
    const bytes = Number(headers['content-length'] ?? 0)
    const encoding = headers['transfer-encoding']
    // Node does not frame the body of a GET or DELETE that it sends: the service would read it as a second request.
    if (!route.acceptsBody && (bytes > 0 || encoding !== undefined))
      throw invalid('This request must not have a body.')
    if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
      throw invalid('The request could not be read.')
    if (route.isMultipart && bytes > maxUploadBytes)
      throw tooLarge(
        `That is more than ${megabytes(maxUploadBytes)} at once. Please send fewer or smaller files.`,
      )
    if (!route.isMultipart && bytes > config.MAX_JSON_BYTES) throw tooLarge('The request is too large.')
  }
}
