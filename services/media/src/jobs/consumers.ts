import { defineConsumer, type Consumer } from '@confetti/messaging'
import type { MediaTask } from '../config.ts'
import type { ProcessingTimer } from '../metrics.ts'
import type { Upload } from './job.ts'
import type { Jobs, RunJob } from './jobs.ts'

interface Options {
  tasks: readonly MediaTask[]
  hasRenditions: boolean
  /** How many messages a worker handles at once. */
  concurrency: { previews: number; renditions: number }
  timers: { previews: ProcessingTimer; renditions: ProcessingTimer }
}

/** Runs a job and records how long the attempt took, and its outcome. What had been done before is not counted again. */
const timed = async (timer: ProcessingTimer, run: RunJob, upload: Upload): Promise<void> => {
  const stopTimer = timer.startTimer({ type: upload.contentType })
  let outcome: Awaited<ReturnType<RunJob>> | 'retried' = 'retried'
  try {
    outcome = await run(upload)
  } finally {
    if (outcome) stopTimer({ outcome })
  }
}

/** The consumers of a worker with these tasks. */
export const createConsumers = (
  jobs: Jobs,
  { tasks, hasRenditions, concurrency, timers }: Options,
): Consumer[] => {
  const previews = [
    defineConsumer('media.upload-completed', ({ data }) => timed(timers.previews, jobs.process, data), {
      prefetch: concurrency.previews,
    }),
    defineConsumer('media.upload-deleted', ({ data }) => jobs.discard(data.uploadId)),
  ]
  const renditions = defineConsumer(
    'media.rendition-requested',
    async ({ data }) => {
      // Where renditions are turned off, what still waits for one is dropped.
      if (hasRenditions) await timed(timers.renditions, jobs.render, data)
    },
    { prefetch: concurrency.renditions },
  )
  return [
    ...(tasks.includes('previews') ? previews : []),
    // Where renditions are turned off, there may be no workers for them; uploads still requests those that are missing.
    ...(tasks.includes('renditions') || !hasRenditions ? [renditions] : []),
  ]
}
