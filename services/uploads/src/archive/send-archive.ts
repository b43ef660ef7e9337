import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, unavailable, type Logger } from '@confetti/service-kit'
import { create as contentDisposition } from 'content-disposition'
import parseRange from 'range-parser'
import { archiveFilename, type Archive, type ArchiveStore } from './archive.ts'
import type { ArchiveMetrics, DownloadOutcome } from './archive-metrics.ts'
import { archiveExpired } from './find-archive.ts'
import { readArchive, type ReadOriginal } from './read-archive.ts'
import { layOutZip, type ByteRange } from './zip-layout.ts'

const RETRY_AFTER_SECONDS = 10

interface Deps {
  archives: Pick<ArchiveStore, 'loadPage'>
  readOriginal: ReadOriginal
  maxDownloads: number
  maxBytesPerSecond: number | undefined
  metrics: ArchiveMetrics
  logger: Logger
}

/** The only range that a request asks for, undefined for the whole archive. Throws if it lies outside of the archive. */
const getRange = (
  { headers }: IncomingMessage,
  response: ServerResponse,
  { bytes, etag }: { bytes: number; etag: string },
): ByteRange | undefined => {
  const ifRange = headers['if-range']
  if (!headers.range || (ifRange !== undefined && ifRange !== etag)) return undefined
  const ranges = parseRange(bytes, headers.range)
  if (ranges === -1) {
    response.setHeader('Content-Range', `bytes */${bytes}`)
    throw new AppError('range_not_satisfiable', 'The range is outside of the file.')
  }
  const [range] = ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? [] : ranges
  return range && { start: range.start, end: range.end + 1 }
}

/**
 * Answers a request for an archive, or for a range of it. What fails before the first byte becomes an error response;
 * what fails later ends the connection, so that no client takes the file for complete.
 */
export const makeSendArchive = ({
  archives,
  readOriginal,
  maxDownloads,
  maxBytesPerSecond,
  metrics,
  logger,
}: Deps) => {
  let downloads = 0

  const send = async (
    archive: Archive,
    range: ByteRange,
    { response, writeHead }: { response: ServerResponse; writeHead: () => void },
  ): Promise<DownloadOutcome> => {
    const abort = new AbortController()
    const onClose = (): void => abort.abort()
    response.once('close', onClose)
    const loadPage = async (index: number) => {
      const page = await archives.loadPage(archive._id, index)
      if (!page) throw archiveExpired()
      return page
    }
    const segments = layOutZip(archive.pages).segmentsOf(range, loadPage)
    const chunks = readArchive(segments, { readOriginal, maxBytesPerSecond, signal: abort.signal })
    try {
      const first = await chunks.next()
      writeHead()
      const all = async function* () {
        for (let next = first; !next.done; next = await chunks.next()) {
          yield next.value
          metrics.sent(next.value.length)
        }
      }
      await pipeline(Readable.from(all(), { objectMode: false }), response)
      return 'completed'
    } catch (error) {
      if (response.destroyed && abort.signal.aborted) return 'aborted'
      if (!response.headersSent) throw error
      logger.error({ err: error, archiveId: archive._id }, 'archive download failed')
      response.destroy()
      return 'failed'
    } finally {
      response.off('close', onClose)
      abort.abort()
    }
  }

  return async (archive: Archive, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { bytes } = layOutZip(archive.pages)
    const etag = `"${archive._id}"`
    const range = getRange(request, response, { bytes, etag })
    const { start, end } = range ?? { start: 0, end: bytes }
    const writeHead = (): void => {
      response.writeHead(range ? 206 : 200, {
        'Content-Type': 'application/zip',
        'Content-Length': end - start,
        'Content-Disposition': contentDisposition(archiveFilename(archive.eventId)),
        'Accept-Ranges': 'bytes',
        ETag: etag,
        ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${bytes}` }),
      })
    }
    if (request.method === 'HEAD') {
      writeHead()
      response.end()
      return
    }
    if (downloads >= maxDownloads)
      throw unavailable('Too many downloads are running. Please try again in a moment.', RETRY_AFTER_SECONDS)
    downloads += 1
    const recordEnd = metrics.begin(start > 0 ? 'resumed' : 'started')
    let outcome: DownloadOutcome = 'failed'
    try {
      outcome = await send(archive, { start, end }, { response, writeHead })
    } finally {
      downloads -= 1
      recordEnd(outcome)
    }
  }
}
export type SendArchive = ReturnType<typeof makeSendArchive>
