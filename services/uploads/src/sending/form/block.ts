import { Readable } from 'node:stream'
import type { SegmentPool } from './segment-pool.ts'

const FIRST_SEGMENT_BYTES = 64 * 1_024
const MAX_SEGMENT_BYTES = 256 * 1_024

/** Bytes that become one block of a blob. */
export interface Block {
  /** Number of bytes appended. */
  size: () => number
  /** Number of bytes of memory in use. */
  capacity: () => number
  /** By how many bytes `capacity` grows when `bytes` more bytes are appended. */
  growthFor: (bytes: number) => number
  append: (chunk: Buffer) => void
  /** A new stream of all bytes; each retry of a request needs one. */
  body: () => Readable
  /** Empties the block and returns its memory to the pool, unless a failed request may still be reading it. */
  release: () => void
}

/**
 * Copies chunks into segments that grow with the block, so that a slow phone uses little memory and a fast one is
 * forwarded in large pieces. Keeping the chunks as they arrive would let them survive V8's quick garbage collections,
 * which doubles the memory of the process; forwarding them one by one doubles the processor time.
 */
export const createBlock = (pool: SegmentPool): Block => {
  let segments: Buffer[] = []
  let size = 0
  let capacity = 0
  let bodies = 0
  const growthFor = (bytes: number): number => {
    const missing = size + bytes - capacity
    if (missing <= 0) return 0
    return Math.max(missing, Math.min(MAX_SEGMENT_BYTES, Math.max(FIRST_SEGMENT_BYTES, capacity)))
  }

  return {
    size: () => size,
    capacity: () => capacity,
    growthFor,
    append: (chunk) => {
      const free = capacity - size
      const last = segments.at(-1)
      if (last) chunk.copy(last, last.length - free)
      const growth = growthFor(chunk.length)
      if (growth > 0) {
        const segment = pool.acquire(growth)
        chunk.copy(segment, 0, free)
        segments.push(segment)
        capacity += growth
      }
      size += chunk.length
    },
    body: () => {
      bodies += 1
      const unused = capacity - size
      return Readable.from(
        segments.map((segment, index) =>
          index === segments.length - 1 ? segment.subarray(0, segment.length - unused) : segment,
        ),
        { objectMode: false },
      )
    },
    release: () => {
      // After a retry, the first request may still be reading: its segments are left to the garbage collector.
      if (bodies <= 1) segments.forEach(pool.release)
      segments = []
      size = 0
      capacity = 0
    },
  }
}
