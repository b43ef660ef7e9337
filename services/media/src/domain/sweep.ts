import type { Clock, Logger } from '@confetti/service-kit'
import type { JobRecords } from './job.ts'

interface Deps {
  jobs: Pick<JobRecords, 'removeOlderThan'>
  clock: Clock
  retentionMs: number
  logger: Logger
}

const BATCH_SIZE = 500

/**
 * Removes the jobs of uploads that have been deleted or processed long ago: no message about them is expected any more.
 * Several replicas can run it at once.
 */
export const makeSweep =
  ({ jobs, clock, retentionMs, logger }: Deps) =>
  async (): Promise<void> => {
    const before = new Date(clock().getTime() - retentionMs)
    let removedJobs = 0
    for (;;) {
      const removed = await jobs.removeOlderThan(before, BATCH_SIZE)
      removedJobs += removed
      if (removed < BATCH_SIZE) break
    }
    logger.info({ removedJobs }, 'sweep completed')
  }
