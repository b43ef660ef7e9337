/** Memory for bytes on their way to blob storage, to be filled again and again. */
export interface SegmentPool {
  /** A segment of so many bytes, with whatever it held before. */
  take: (bytes: number) => Buffer
  /** Takes back a segment that nobody reads any more. */
  giveBack: (segment: Buffer) => void
}

/**
 * Keeps `mostBytes` of segments that rest, the latest. New memory for each file costs more than all else that is done
 * with its bytes: V8 collects its whole heap after each 64 MB of buffers, however many are free by then.
 */
export const createSegmentPool = (mostBytes: number): SegmentPool => {
  const resting: Buffer[] = []
  let restingBytes = 0

  const remove = (index: number): Buffer | undefined => {
    const [segment] = resting.splice(index, 1)
    restingBytes -= segment?.length ?? 0
    return segment
  }

  return {
    take: (bytes) => {
      const index = resting.findLastIndex(({ length }) => length === bytes)
      return (index < 0 ? undefined : remove(index)) ?? Buffer.allocUnsafeSlow(bytes)
    },
    giveBack: (segment) => {
      resting.push(segment)
      restingBytes += segment.length
      while (restingBytes > mostBytes) remove(0)
    },
  }
}
