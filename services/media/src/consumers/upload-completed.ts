import { defineConsumer } from '@confetti/messaging'
import type { RunJob } from '../domain/run-job.ts'
import type { ProcessingTimer } from '../metrics.ts'
import { timed } from './timed.ts'

export interface UploadCompletedDeps {
  processUpload: RunJob
  timer: ProcessingTimer
  concurrency: number
}

export const uploadCompletedConsumer = ({ processUpload, timer, concurrency }: UploadCompletedDeps) =>
  defineConsumer('media.upload-completed', ({ data }) => timed(timer, processUpload, data), {
    prefetch: concurrency,
  })
