import type { Upload } from '../domain/media.ts'
import type { RunJob } from '../domain/run-job.ts'
import type { ProcessingTimer } from '../metrics.ts'

/** Runs a job and records how long the attempt took, and its outcome. */
export const timed = async (timer: ProcessingTimer, run: RunJob, upload: Upload): Promise<void> => {
  const stopTimer = timer.startTimer({ type: upload.contentType })
  let outcome = 'retried'
  try {
    outcome = await run(upload)
  } finally {
    stopTimer({ outcome })
  }
}
