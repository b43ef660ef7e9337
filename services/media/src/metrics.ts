import type { Metrics } from '@confetti/service-kit'
import { Histogram } from 'prom-client'

/** Seconds from a message to its outcome, by content type and outcome; `retried` is one that will come again. */
export const createProcessingTimer = (metrics: Metrics) =>
  new Histogram({
    name: 'media_processing_seconds',
    help: 'Seconds from taking up an upload to its outcome',
    labelNames: ['type', 'outcome'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [metrics],
  })
export type ProcessingTimer = ReturnType<typeof createProcessingTimer>
