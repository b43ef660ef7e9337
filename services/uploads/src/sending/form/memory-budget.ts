import { unavailable } from '@confetti/service-kit'

/** Memory of a request besides its file blocks: a read of 64 kB in its socket, and another in the form parser. */
const REQUEST_BYTES = 128 * 1_024

/** The share of the limit below which new requests are admitted. */
const ADMISSION_SHARE = 0.75

/** The memory of one file. When memory is short, files that started earlier are served before it. */
interface MemoryReservation {
  /** Reserves `bytes` and returns true, or returns false if they are not available now. */
  tryReserve: (bytes: number) => boolean
  /** Reserves `bytes`; resolves as soon as they are available. */
  reserve: (bytes: number) => Promise<void>
  release: (bytes: number) => void
}

export interface MemoryBudget {
  limitBytes: number
  usedBytes: () => number
  /**
   * Admits a new request, in order of arrival, and resolves with a function that releases its memory.
   * Throws `unavailable` if the budget has no headroom for `timeoutMs`.
   */
  acquire: (timeoutMs: number) => Promise<() => void>
  /** The reservation of a file that starts now. It is empty at first. */
  newReservation: () => MemoryReservation
}

/**
 * Limits the memory, in bytes, that upload requests and their files use at the same time. Requests in progress may
 * use all of it. New requests are admitted only below three quarters of the limit, so that they do not starve the
 * others.
 *
 * Deadlocks are impossible: a file stages the bytes that it already holds before it waits for memory, and the memory
 * that requests use for themselves stays below three quarters of the limit. When memory is short, files finish in the
 * order in which they started, instead of all progressing in small blocks.
 */
export const createMemoryBudget = (limitBytes: number): MemoryBudget => {
  let usedBytes = 0
  let reservations = 0
  const pendingFiles: { order: number; bytes: number; proceed: () => void }[] = []
  const pendingRequests = new Set<() => void>()
  const hasHeadroom = (): boolean => pendingFiles.length === 0 && usedBytes < limitBytes * ADMISSION_SHARE
  const fits = (bytes: number): boolean => usedBytes + bytes <= limitBytes

  const admitWaiting = (): void => {
    for (let next = pendingFiles[0]; next && fits(next.bytes); next = pendingFiles[0]) {
      pendingFiles.shift()
      usedBytes += next.bytes
      next.proceed()
    }
    for (const admit of pendingRequests) {
      if (!hasHeadroom()) return
      pendingRequests.delete(admit)
      admit()
    }
  }

  const release = (bytes: number): void => {
    usedBytes -= bytes
    admitWaiting()
  }

  const createReservation = (order: number): MemoryReservation => {
    const isNext = (): boolean => (pendingFiles[0]?.order ?? Infinity) > order
    const tryReserve = (bytes: number): boolean => {
      if (!isNext() || !fits(bytes)) return false
      usedBytes += bytes
      return true
    }
    return {
      tryReserve,
      reserve: async (bytes) => {
        if (tryReserve(bytes)) return
        await new Promise<void>((proceed) => {
          const later = pendingFiles.findIndex((pending) => pending.order > order)
          pendingFiles.splice(later < 0 ? pendingFiles.length : later, 0, { order, bytes, proceed })
        })
      },
      release,
    }
  }

  return {
    limitBytes,
    usedBytes: () => usedBytes,
    acquire: (timeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          pendingRequests.delete(admit)
          reject(unavailable('Many photos are arriving right now. Please try again in a moment.'))
        }, timeoutMs)
        const admit = (): void => {
          clearTimeout(timer)
          usedBytes += REQUEST_BYTES
          resolve(() => release(REQUEST_BYTES))
        }
        pendingRequests.add(admit)
        admitWaiting()
      }),
    newReservation: () => createReservation(reservations++),
  }
}
