import { setTimeout as sleep } from 'node:timers/promises'
import { MB } from '@confetti/contracts'
import type { ArchiveSegment, ByteRange } from './zip-layout.ts'

/** Originals are read in pieces, so that a slow client holds no connection to blob storage. */
export const PIECE_BYTES = 2 * MB
/** How many pieces are read ahead of the client. */
const READ_AHEAD = 2
const MAX_BURST_MS = 1_000

/** Reads a range of an original. Throws if it does not have these bytes. */
export type ReadOriginal = (uploadId: string, range: ByteRange, signal: AbortSignal) => Promise<Buffer>

type Piece = (signal: AbortSignal) => Promise<Buffer>

const piecesOf = async function* (
  segments: AsyncIterable<ArchiveSegment>,
  readOriginal: ReadOriginal,
): AsyncGenerator<Piece> {
  for await (const segment of segments) {
    if (segment.kind === 'bytes') {
      yield () => Promise.resolve(segment.bytes)
      continue
    }
    const { uploadId } = segment
    for (let start = segment.start; start < segment.end; start += PIECE_BYTES) {
      const end = Math.min(start + PIECE_BYTES, segment.end)
      yield (signal) => readOriginal(uploadId, { start, end }, signal)
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
export const readArchive = async function* (
  segments: AsyncIterable<ArchiveSegment>,
  {
    readOriginal,
    maxBytesPerSecond,
    signal,
  }: { readOriginal: ReadOriginal; maxBytesPerSecond: number | undefined; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const pieces = piecesOf(segments, readOriginal)
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
