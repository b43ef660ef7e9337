/** Reusable buffers for bytes on their way to blob storage. */
export interface SegmentPool {
  /** A buffer of `bytes` bytes; its old content is not cleared. */
  acquire: (bytes: number) => Buffer
  /** Returns a buffer that is no longer read by anything. */
  release: (segment: Buffer) => void
}

/**
 * A pool that keeps at most `maxIdleBytes` of unused buffers, the most recent ones. New buffers for each file would
 * cost more than everything else that is done with its bytes: V8 collects its whole heap after each 64 MB of external
 * buffers, however many of them are already free.
 */
export const createSegmentPool = (maxIdleBytes: number): SegmentPool => {
  const idle: Buffer[] = []
  let idleBytes = 0

  const remove = (index: number): Buffer | undefined => {
    const [segment] = idle.splice(index, 1)
    idleBytes -= segment?.length ?? 0
    return segment
  }

  return {
    acquire: (bytes) => {
      const index = idle.findLastIndex(({ length }) => length === bytes)
      return (index < 0 ? undefined : remove(index)) ?? Buffer.allocUnsafeSlow(bytes)
    },
    release: (segment) => {
      idle.push(segment)
      idleBytes += segment.length
      while (idleBytes > maxIdleBytes) remove(0)
    },
  }
}
