import type { Upload } from '../domain/media.ts'
import type { RunJob } from '../domain/run-job.ts'
import type { ProcessingTimer } from '../metrics.ts'

/** Runs a job and records how long the attempt took, and its outcome. What had been done before is not counted again. */
export const timed = async (timer: ProcessingTimer, run: RunJob, upload: Upload): Promise<void> => {
  const stopTimer = timer.startTimer({ type: upload.contentType })
  let outcome: Awaited<ReturnType<RunJob>> | 'retried' = 'retried'
  try {
    outcome = await run(upload)
  } finally {
    if (outcome) stopTimer({ outcome })
  }
}
