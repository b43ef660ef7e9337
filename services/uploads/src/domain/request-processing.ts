import type { Clock, Logger } from '@confetti/service-kit'
import type { UploadMetrics } from '../upload-metrics.ts'
import { forEachOverdue, MAX_REQUESTS, nextDueAt } from './overdue.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  uploads: Pick<
    UploadStore,
    'listOverdue' | 'requestProcessing' | 'markFailed' | 'listRetryable' | 'retryProcessing'
  >
  clock: Clock
  /** How long after the first request processing is overdue; twice as long after each further one. */
  processingTimeoutMs: number
  metrics: Pick<UploadMetrics, 'abandoned'>
  logger: Logger
}

// Their decoding must not delay new uploads for long.
const MAX_RETRIES = 100

/**
 * Requests processing again for uploads that have waited too long for it, as their messages may be lost, and gives up
 * those for which it has been requested often enough: with 15 minutes before the first request, the last one is after 16
 * hours, and the upload fails 16 hours later. HEIC photos that failed in a worker with one decoder for them also wait
 * for it again, some in each run, until a worker with two has decoded or refused them. Returns how many of each. Several
 * replicas can run it at once.
 */
export const makeRequestOverdueProcessing =
  ({ uploads, clock, processingTimeoutMs, metrics, logger }: Deps) =>
  async (): Promise<{ requeued: number; abandoned: number; retried: number }> => {
    const now = clock()
    const retryable = await uploads.listRetryable(MAX_RETRIES)
    for (const { _id, requests } of retryable)
      await uploads.retryProcessing(_id, nextDueAt(now, processingTimeoutMs, requests))
    const counts = { requeued: 0, abandoned: 0, retried: retryable.length }
    await forEachOverdue(
      (limit) => uploads.listOverdue(now, limit),
      async (upload) => {
        const requests = upload.requests + 1
        if (requests <= MAX_REQUESTS) {
          const dueAt = nextDueAt(now, processingTimeoutMs, requests)
          await uploads.requestProcessing(upload, { requestedAt: now, dueAt })
          counts.requeued += 1
        } else {
          await uploads.markFailed({
            uploadId: upload._id,
            reason: 'The file could not be processed.',
            isFinal: true,
          })
          logger.error(
            { uploadId: upload._id, requests: MAX_REQUESTS },
            'upload was never processed, marked as failed',
          )
          metrics.abandoned()
          counts.abandoned += 1
        }
      },
    )
    return counts
  }
export type RequestOverdueProcessing = ReturnType<typeof makeRequestOverdueProcessing>
