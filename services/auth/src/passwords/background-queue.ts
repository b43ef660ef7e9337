import { unavailable, type Logger } from '@confetti/service-kit'
import pLimit from 'p-limit'

const CONCURRENCY = 2
const QUEUE_LIMIT = 200

/**
 * Runs work after the response of a request. Its failures are logged. `run` throws `unavailable` if too much work is
 * already waiting.
 */
export const createBackgroundQueue = ({ name, logger }: { name: string; logger: Logger }) => {
  const limit = pLimit(CONCURRENCY)
  const inFlight = new Set<Promise<void>>()
  return {
    run: (work: () => Promise<void>): void => {
      if (inFlight.size >= CONCURRENCY + QUEUE_LIMIT)
        throw unavailable('The service is busy. Please try again in a moment.')
      const running = limit(work)
        .catch((error: unknown) => logger.warn({ err: error, task: name }, 'background task failed'))
        .finally(() => inFlight.delete(running))
      inFlight.add(running)
    },
    /** Resolves when the work that has been started is over. */
    settle: async (): Promise<void> => {
      await Promise.all(inFlight)
    },
  }
}
export type BackgroundQueue = ReturnType<typeof createBackgroundQueue>
