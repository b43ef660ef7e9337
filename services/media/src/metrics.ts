import type { Metrics } from '@confetti/service-kit'
import { Histogram } from 'prom-client'

export const createProcessingTimer = (metrics: Metrics) =>
  new Histogram({
    name: 'media_processing_seconds',
    help: 'Seconds that an attempt to process an upload takes, by content type and outcome: done, failed, deleted or retried',
    labelNames: ['type', 'outcome'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [metrics],
  })
export type ProcessingTimer = ReturnType<typeof createProcessingTimer>
