import { constants } from 'node:zlib'
import compression from 'compression'
import type { RequestHandler, Response } from 'express'

/** Answers that are shorter cost more to compress than to send. */
const THRESHOLD_BYTES = 1_024

/**
 * The most answers that are compressed at the same time; further ones are sent as they are. A client that does not read
 * a long answer keeps its compressor, of up to 1 MB.
 */
const MAX_COMPRESSORS = 100

// Higher ones take much more processor time for a few bytes.
const GZIP_LEVEL = 1
const BROTLI_QUALITY = 4
// A window of 128 kB. The default, of 4 MB, would be kept for each long answer.
const BROTLI_WINDOW_BITS = 17

/**
 * Not compressed: archives, which are compressed already, and answers with tokens, whose length must not depend on what
 * else is in them.
 */
const excludedPaths = /^\/api\/(?:archives|auth)\//

/** No content, a part of a representation, and one that the client has. */
const excludedStatuses = [204, 206, 304]

/**
 * Compresses answers of more than 1 kB by Brotli or gzip, as `Accept-Encoding` says, while they are forwarded. Nothing is
 * buffered beyond the window of the compressor.
 */
export const createCompression = (): RequestHandler[] => {
  let compressors = 0
  /** Those that the library compresses if they are long enough and the client accepts it. */
  const compressibleResponses = new WeakSet<Response>()

  const filter: compression.CompressionFilter = (request, response) => {
    const isCompressible =
      compressors < MAX_COMPRESSORS &&
      // Without chunks, an answer that breaks off would look complete.
      request.httpVersion !== '1.0' &&
      !excludedPaths.test(request.path) &&
      !excludedStatuses.includes(response.statusCode) &&
      !response.hasHeader('Content-Encoding') &&
      !String(response.getHeader('Content-Type')).startsWith('text/event-stream') &&
      compression.filter(request, response)
    if (isCompressible) compressibleResponses.add(response)
    return isCompressible
  }

  const followCompression: RequestHandler = (_, response, next) => {
    // Also of the answers that are not compressed: a cache takes the header of a 304.
    response.vary('Accept-Encoding')
    const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => typeof response
    // The library calls it when it has decided, and set the headers.
    response.writeHead = (...args: unknown[]) => {
      if (compressibleResponses.has(response) && response.hasHeader('Content-Encoding')) {
        compressors += 1
        // Others listen already, as many as Node takes for the most.
        response.setMaxListeners(response.getMaxListeners() + 1)
        response.once('close', () => (compressors -= 1))
        const etag = response.getHeader('ETag')
        // A strong one stands for the bytes, which have changed.
        if (typeof etag === 'string' && etag.startsWith('"')) response.setHeader('ETag', `W/${etag}`)
      }
      return writeHead(...args)
    }
    next()
  }

  return [
    followCompression,
    compression({
      filter,
      threshold: THRESHOLD_BYTES,
      level: GZIP_LEVEL,
      brotli: {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
        },
      },
    }),
  ]
}
