import { Readable } from 'node:stream'

const SEGMENT_BYTES = 256 * 1_024

/** Bytes on their way into one block of a blob. */
export interface Block {
  /** How many there are. */
  size: () => number
  append: (chunk: Buffer) => void
  /** All of them, anew at each call, as a try that failed is repeated. */
  body: () => Readable
}

/**
 * Chunks are copied together as they come. Kept one by one they would outlive the quick garbage collections, of
 * which the process would grow by as much again; and sent one by one they cost twice the processor time.
 */
export const createBlock = (): Block => {
  const segments: Buffer[] = []
  let size = 0
  return {
    size: () => size,
    append: (chunk) => {
      for (let copied = 0; copied < chunk.length;) {
        const used = size % SEGMENT_BYTES
        if (used === 0) segments.push(Buffer.allocUnsafeSlow(SEGMENT_BYTES))
        const count = chunk.copy(segments.at(-1) ?? chunk, used, copied)
        copied += count
        size += count
      }
    },
    body: () =>
      Readable.from(
        segments.map((segment, index) => segment.subarray(0, size - index * SEGMENT_BYTES)),
        { objectMode: false },
      ),
  }
}
