import type { Metrics } from '@confetti/service-kit'
import { Counter, Histogram } from 'prom-client'

const DECODE_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const RENDITION_SECONDS = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_200]

/** The timers of each kind of work. */
export const createTimers = (metrics: Metrics) => {
  const createTimer = (name: string, work: string, buckets: number[]) =>
    new Histogram({
      name,
      help: `Seconds that an attempt to ${work} takes, by content type and outcome: done, failed, deleted or retried`,
      labelNames: ['type', 'outcome'] as const,
      buckets,
      registers: [metrics],
    })
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
export type ProcessingTimer = ReturnType<typeof createTimers>['processing']

/** Counts the HEIF photos that heif-convert has refused. */
export const createHeifFallbackCounter = (metrics: Metrics) =>
  new Counter({
    name: 'media_heif_fallbacks_total',
    help: 'HEIC and HEIF photos that heif-convert has refused and libheif-js was given',
    registers: [metrics],
  })
