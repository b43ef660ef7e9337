import { Readable } from 'node:stream'
import type { SegmentPool } from './segment-pool.ts'

const FIRST_SEGMENT_BYTES = 64 * 1_024
const LARGEST_SEGMENT_BYTES = 256 * 1_024

/** Bytes on their way into one block of a blob. */
export interface Block {
  /** How many there are. */
  size: () => number
  /** How many bytes of memory it fills. */
  capacity: () => number
  /** How many more it will fill with so many bytes appended. */
  growthFor: (bytes: number) => number
  append: (chunk: Buffer) => void
  /** All of them, anew at each call, as a try that failed is repeated. */
  body: () => Readable
  /** Empties it when its body was read to the end: its memory may be filled with other bytes. */
  release: () => void
}

/**
 * Chunks are copied together as they come, into segments that grow with the block: a slow phone fills little, a fast
 * one is sent on in large pieces. Kept one by one the chunks would outlive the quick garbage collections, of which
 * the process would grow by as much again; and sent one by one they cost twice the processor time.
 */
export const createBlock = (pool: SegmentPool): Block => {
  let segments: Buffer[] = []
  let size = 0
  let capacity = 0
  let bodies = 0
  const growthFor = (bytes: number): number => {
    const missing = size + bytes - capacity
    if (missing <= 0) return 0
    return Math.max(missing, Math.min(LARGEST_SEGMENT_BYTES, Math.max(FIRST_SEGMENT_BYTES, capacity)))
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
        const segment = pool.take(growth)
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
      // Of a try that failed, some may still be on their way.
      if (bodies <= 1) segments.forEach(pool.giveBack)
      segments = []
      size = 0
      capacity = 0
    },
  }
}
