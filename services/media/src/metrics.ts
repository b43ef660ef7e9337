import type { Metrics } from '@confetti/service-kit'
import { Counter, Histogram } from 'prom-client'

const createTimer = (metrics: Metrics, name: string, work: string, buckets: number[]) =>
  new Histogram({
    name,
    help: `Seconds that an attempt to ${work} takes, by content type and outcome: done, failed, deleted or retried`,
    labelNames: ['type', 'outcome'] as const,
    buckets,
    registers: [metrics],
  })
export type ProcessingTimer = ReturnType<typeof createTimer>

export const createProcessingTimer = (metrics: Metrics): ProcessingTimer =>
  createTimer(
    metrics,
    'media_processing_seconds',
    'process an upload',
    [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  )

export const createCopyTimer = (metrics: Metrics): ProcessingTimer =>
  createTimer(
    metrics,
    'media_copy_seconds',
    'make the copy of a photo that has been processed without one',
    [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  )

export const createRenditionTimer = (metrics: Metrics): ProcessingTimer =>
  createTimer(
    metrics,
    'media_rendition_seconds',
    'make the rendition of a video',
    [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_200],
  )

/** Counts the HEIF photos that heif-convert has refused. */
export const createHeifFallbackCounter = (metrics: Metrics) =>
  new Counter({
    name: 'media_heif_fallbacks_total',
    help: 'HEIC and HEIF photos that heif-convert has refused and libheif-js was given',
    registers: [metrics],
  })
