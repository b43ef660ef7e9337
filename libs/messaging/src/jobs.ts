import pLimit from 'p-limit'

/** What a consumer works on, so much at once; longer than the session lasts that brought it, if need be. */
export interface Jobs {
  start: (job: () => Promise<void>) => void
  /** Resolves when all that was started is over. */
  over: () => Promise<void>
}

export const createJobs = (atOnce: number): Jobs => {
  const limit = pLimit(atOnce)
  const inWork = new Set<Promise<void>>()
  return {
    start: (job) => {
      const running = limit(job).finally(() => inWork.delete(running))
      inWork.add(running)
    },
    over: async () => {
      await Promise.all(inWork)
    },
  }
}
