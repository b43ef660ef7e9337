import type { Metrics } from '@confetti/service-kit'
import { Counter, Histogram } from 'prom-client'
import type { Upload } from './jobs/job.ts'
import type { RunJob } from './jobs/jobs.ts'

const DECODE_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const RENDITION_SECONDS = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_200]

/**
 * Functions that run a job of each kind, and record how long the attempt takes, and its outcome. What had been done before is
 * not counted again.
 */
export const createJobTimers = (metrics: Metrics) => {
  const createTimer = (name: string, work: string, buckets: number[]) => {
    const histogram = new Histogram({
      name,
      help: `Seconds that an attempt to ${work} takes, by content type and outcome: done, failed, deleted or retried`,
      labelNames: ['type', 'outcome'] as const,
      buckets,
      registers: [metrics],
    })
    return async (run: RunJob, upload: Upload): Promise<void> => {
      const stopTimer = histogram.startTimer({ type: upload.contentType })
      let outcome: Awaited<ReturnType<RunJob>> | 'retried' = 'retried'
      try {
        outcome = await run(upload)
      } finally {
        if (outcome) stopTimer({ outcome })
      }
    }
  }
  return {
    processing: createTimer('media_processing_seconds', 'process an upload', DECODE_SECONDS),
    copy: createTimer(
      'media_copy_seconds',
      'make the copy of a photo that has been processed without one',
      DECODE_SECONDS,
    ),
    rendition: createTimer('media_rendition_seconds', 'make the rendition of a video', RENDITION_SECONDS),
  }
}

/** Counts the HEIF photos that heif-convert has refused. */
export const createHeifFallbackCounter = (metrics: Metrics) =>
  new Counter({
    name: 'media_heif_fallbacks_total',
    help: 'HEIC and HEIF photos that heif-convert has refused and libheif-js was given',
    registers: [metrics],
  })
