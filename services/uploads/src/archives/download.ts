import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { MB } from '@confetti/contracts'
import { AppError, unavailable, type Metrics } from '@confetti/service-kit'
import { create as contentDisposition } from 'content-disposition'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Deps } from '../deps.ts'
import type { ArchiveBlobs } from '../upload-blobs.ts'
import { archiveExpired, type Archive } from './entries.ts'
import { layOutZip, type ArchiveSegment, type ByteRange } from './zip-layout.ts'

const kinds = ['started', 'resumed'] as const
const outcomes = ['completed', 'aborted', 'failed'] as const
/** How a download ended: whole, by its client, or by an error of ours. */
type DownloadOutcome = (typeof outcomes)[number]

/** Counts the downloads of archives. */
const createArchiveMetrics = (registry: Metrics, maxDownloads: number) => {
  const downloads = new Counter({
    name: 'uploads_archive_downloads_total',
    help: 'Downloads of archives that have ended, by kind (started at the beginning, or resumed) and outcome: completed, aborted by the client, failed',
    labelNames: ['kind', 'outcome'] as const,
    registers: [registry],
  })
  // Starting at zero: Prometheus sees no increase in a series that starts at one.
  for (const kind of kinds) for (const outcome of outcomes) downloads.inc({ kind, outcome }, 0)
  const bytes = new Counter({
    name: 'uploads_archive_bytes_total',
    help: 'Bytes of archives that were sent',
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'uploads_archive_duration_seconds',
    help: 'Seconds that downloads of archives take',
    buckets: [1, 5, 15, 60, 300, 900, 1_800, 3_600, 7_200],
    registers: [registry],
  })
  const inProgress = new Gauge({
    name: 'uploads_archives_in_progress',
    help: 'Downloads of archives in progress',
    registers: [registry],
  })
  new Gauge({
    name: 'uploads_archives_limit',
    help: 'The most downloads of archives at once; further ones are answered with 503',
    registers: [registry],
  }).set(maxDownloads)
  return {
    /** Records the start of a download; call the returned function when it has ended. */
    begin: (kind: (typeof kinds)[number]) => {
      inProgress.inc()
      const stop = seconds.startTimer()
      return (outcome: DownloadOutcome): void => {
        inProgress.dec()
        downloads.inc({ kind, outcome })
        stop()
      }
    },
    sent: (count: number): void => bytes.inc(count),
  }
}
const RETRY_AFTER_SECONDS = 10
/** Originals are read in pieces, so that a slow client holds no connection to blob storage. */
export const PIECE_BYTES = 2 * MB
/** How many pieces are read ahead of the client. */
const READ_AHEAD = 2
const MAX_BURST_MS = 1_000

type ReadRange = ArchiveBlobs['readRange']
type Piece = (signal: AbortSignal) => Promise<Buffer>

const piecesOf = async function* (
  segments: AsyncIterable<ArchiveSegment>,
  readRange: ReadRange,
): AsyncGenerator<Piece> {
  for await (const segment of segments) {
    if (segment.kind === 'bytes') {
      yield () => Promise.resolve(segment.bytes)
      continue
    }
    const { uploadId, file } = segment
    for (let start = segment.start; start < segment.end; start += PIECE_BYTES) {
      const end = Math.min(start + PIECE_BYTES, segment.end)
      yield (signal) => readRange(uploadId, { start, end }, signal, file)
    }
  }
}

/**
 * Yields the bytes of an archive's segments, in order. Originals are read two pieces ahead of the consumer, which bounds
 * the memory. Throws the first error of a read.
 *
 * @param maxBytesPerSecond - slows the archive down to this rate; unlimited if undefined
 * @param signal - ends the reads
 */
const readArchive = async function* (
  segments: AsyncIterable<ArchiveSegment>,
  {
    readRange,
    maxBytesPerSecond,
    signal,
  }: { readRange: ReadRange; maxBytesPerSecond: number | undefined; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const pieces = piecesOf(segments, readRange)
  const ahead: Promise<Buffer>[] = []
  let nextAt = performance.now()

  const readNext = async (): Promise<void> => {
    const next = await pieces.next()
    if (next.done) return
    const read = next.value(signal)
    // It is awaited in its turn; until then, its failure has been handled.
    read.catch(() => undefined)
    ahead.push(read)
  }
  for (let count = 0; count < READ_AHEAD; count += 1) await readNext()
  for (let piece = ahead.shift(); piece; piece = ahead.shift()) {
    await readNext()
    const bytes = await piece
    yield bytes
    if (!maxBytesPerSecond) continue
    // Unused time does not accumulate beyond a second.
    const now = performance.now()
    nextAt = Math.max(nextAt, now - MAX_BURST_MS) + (bytes.length / maxBytesPerSecond) * 1_000
    if (nextAt > now) await sleep(nextAt - now, undefined, { signal })
  }
}

/**
 * The range that a request asks for; undefined for the whole archive, which also answers what is no single range of
 * bytes. Throws if the range lies outside of the archive.
 */
const getRange = (
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { bytes, etag }: { bytes: number; etag: string },
): ByteRange | undefined => {
  const ifRange = headers['if-range']
  if (method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return undefined
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(headers.range ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes : Math.min(Number(last) + 1, bytes)
  if (start >= bytes) {
    response.setHeader('Content-Range', `bytes */${bytes}`)
    throw new AppError('range_not_satisfiable', 'The range is outside of the file.')
  }
  return start < end ? { start, end } : undefined
}

/**
 * Answers a request for an archive, or for a range of it. What fails before the first byte becomes an error response;
 * what fails later ends the connection, so that no client takes the file for complete.
 */
export const createDownload = ({ config, archives, blobs, registry, logger }: Deps) => {
  const maxDownloads = config.MAX_ARCHIVE_DOWNLOADS
  // The others are left to members: any guest gets links, and may read them as slowly as a connection allows.
  const maxOfGuests = Math.ceil(maxDownloads / 2)
  const metrics = createArchiveMetrics(registry, maxDownloads)
  let downloads = 0
  let downloadsOfGuests = 0

  const send = async (
    archive: Archive,
    range: ByteRange,
    { response, writeHead }: { response: ServerResponse; writeHead: () => void },
  ): Promise<DownloadOutcome> => {
    if (response.destroyed) return 'aborted'
    const abort = new AbortController()
    const onClose = (): void => abort.abort()
    // The middleware's and those of `pipeline` are more than the ten at which Node.js warns of a leak.
    response.setMaxListeners(20).once('close', onClose)
    const loadPage = async (index: number) => {
      const page = await archives.loadPage(archive._id, index)
      if (!page) throw archiveExpired()
      return page
    }
    const segments = layOutZip(archive.pages).segmentsOf(range, loadPage)
    const chunks = readArchive(segments, {
      readRange: blobs.readRange,
      maxBytesPerSecond: config.ARCHIVE_BYTES_PER_SECOND,
      signal: abort.signal,
    })
    let failure: unknown
    const readNext = () =>
      chunks.next().catch((error: unknown) => {
        // A read that ends because the client has left is no failure.
        if (!abort.signal.aborted) failure = error
        throw error
      })
    const sendFrom = async function* (next: IteratorResult<Buffer, void>) {
      for (; !next.done; next = await readNext()) {
        yield next.value
        metrics.sent(next.value.length)
      }
    }
    try {
      const content = sendFrom(await readNext())
      writeHead()
      await pipeline(Readable.from(content, { objectMode: false }), response)
      return 'completed'
    } catch (error) {
      if (failure === undefined) return 'aborted'
      logger.error({ err: failure, archiveId: archive._id }, 'archive download failed')
      if (!response.headersSent) throw error
      response.destroy()
      return 'failed'
    } finally {
      response.off('close', onClose)
      abort.abort()
    }
  }

  return async (
    { archive, filename }: { archive: Archive; filename: string },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const { bytes } = layOutZip(archive.pages)
    const etag = `"${archive._id}"`
    const range = getRange(request, response, { bytes, etag })
    const { start, end } = range ?? { start: 0, end: bytes }
    const writeHead = (): void => {
      response.writeHead(range ? 206 : 200, {
        'Content-Type': 'application/zip',
        'Content-Length': end - start,
        'Content-Disposition': contentDisposition(filename),
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
    const ofGuests = archive.copies ? 1 : 0
    if (downloads >= maxDownloads || downloadsOfGuests + ofGuests > maxOfGuests)
      throw unavailable('Too many downloads are running. Please try again in a moment.', RETRY_AFTER_SECONDS)
    downloads += 1
    downloadsOfGuests += ofGuests
    const recordEnd = metrics.begin(start > 0 ? 'resumed' : 'started')
    let outcome: DownloadOutcome = 'failed'
    try {
      outcome = await send(archive, { start, end }, { response, writeHead })
    } finally {
      downloads -= 1
      downloadsOfGuests -= ofGuests
      recordEnd(outcome)
    }
  }
}
