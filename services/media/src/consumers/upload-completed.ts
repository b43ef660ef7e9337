import { consumer } from '@confetti/messaging'
import type { ProcessUpload } from '../domain/process-upload.ts'
import type { ProcessingTimer } from '../metrics.ts'

interface Deps {
  processUpload: ProcessUpload
  timer: ProcessingTimer
  concurrency: number
}

export const uploadCompletedConsumer = ({ processUpload, timer, concurrency }: Deps) =>
  consumer(
    'media.upload-completed',
    async ({ data }) => {
      const stop = timer.startTimer({ type: data.contentType })
      let outcome = 'retried'
      try {
        outcome = await processUpload(data)
      } finally {
        stop({ outcome })
      }
    },
    { prefetch: concurrency },
  )
