import { defineConsumer } from '@confetti/messaging'
import type { ProcessUpload } from '../domain/process-upload.ts'
import type { ProcessingTimer } from '../metrics.ts'

export interface UploadCompletedDeps {
  processUpload: ProcessUpload
  timer: ProcessingTimer
  concurrency: number
}

export const uploadCompletedConsumer = ({ processUpload, timer, concurrency }: UploadCompletedDeps) =>
  defineConsumer(
    'media.upload-completed',
    async ({ data }) => {
      const stopTimer = timer.startTimer({ type: data.contentType })
      let outcome = 'retried'
      try {
        outcome = await processUpload(data)
      } finally {
        stopTimer({ outcome })
      }
    },
    { prefetch: concurrency },
  )
