const MIN_CONCURRENCY = 1
const FIRST_CONCURRENCY = 2
const MAX_CONCURRENCY = 4
const FAST_BLOCK_MS = 1_500
const SLOW_BLOCK_MS = 10_000

/**
 * Creates the limit on blocks in flight. All files share it, because they share the connection. It starts at two. A block
 * that was sent fast allows one more, up to four: if the connection breaks, little is sent again. A slow or failed block
 * allows one less.
 */
export const createBlockLimit = (now: () => number) => {
  let limit = FIRST_CONCURRENCY
  let inFlight = 0
  const waiting = new Set<() => void>()

  const admitWaiting = (): void => {
    for (const admit of waiting) {
      if (inFlight >= limit) return
      waiting.delete(admit)
      inFlight += 1
      admit()
    }
  }

  const acquire = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject: (reason: Error) => void) => {
      signal.throwIfAborted()
      const abort = (): void => {
        waiting.delete(admit)
        reject(signal.reason as Error)
      }
      const admit = (): void => {
        signal.removeEventListener('abort', abort)
        resolve()
      }
      signal.addEventListener('abort', abort)
      waiting.add(admit)
      admitWaiting()
    })

  const adapt = (change: -1 | 0 | 1): void => {
    limit = Math.min(MAX_CONCURRENCY, Math.max(MIN_CONCURRENCY, limit + change))
  }

  return {
    getLimit: (): number => limit,

    /** Calls `sendBlock` as soon as the limit allows it. */
    run: async (sendBlock: () => Promise<void>, signal: AbortSignal): Promise<void> => {
      await acquire(signal)
      const startedAt = now()
      try {
        await sendBlock()
        const durationMs = now() - startedAt
        adapt(durationMs < FAST_BLOCK_MS ? 1 : durationMs > SLOW_BLOCK_MS ? -1 : 0)
      } catch (error) {
        if (!signal.aborted) adapt(-1)
        throw error
      } finally {
        inFlight -= 1
        admitWaiting()
      }
    },
  }
}

export type BlockLimit = ReturnType<typeof createBlockLimit>
