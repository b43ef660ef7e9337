import type { Metrics } from '@confetti/service-kit'
import { Counter, Gauge, Histogram } from 'prom-client'

/** How a download ended: whole, by its client, or by an error of ours. */
export type DownloadOutcome = 'completed' | 'aborted' | 'failed'

/** Counts the downloads of archives. */
export const createArchiveMetrics = (registry: Metrics, maxDownloads: number) => {
  const downloads = new Counter({
    name: 'uploads_archive_downloads_total',
    help: 'Downloads of archives that have ended, by kind (started at the beginning, or resumed) and outcome: completed, aborted by the client, failed',
    labelNames: ['kind', 'outcome'] as const,
    registers: [registry],
  })
  const bytes = new Counter({
    name: 'uploads_archive_bytes_total',
    help: 'Bytes of archives that were sent',
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'uploads_archive_duration_seconds',
    help: 'Seconds that downloads of archives take',
    buckets: [1, 5, 15, 60, 300, 900, 1_800, 3_600, 7_200],
    registers: [registry],
  })
  const inProgress = new Gauge({
    name: 'uploads_archives_in_progress',
    help: 'Downloads of archives in progress',
    registers: [registry],
  })
  new Gauge({
    name: 'uploads_archives_limit',
    help: 'The most downloads of archives at once; further ones are answered with 503',
    registers: [registry],
  }).set(maxDownloads)
  return {
    /** Records the start of a download; call the returned function when it has ended. */
    begin: (kind: 'started' | 'resumed') => {
      inProgress.inc()
      const stop = seconds.startTimer()
      return (outcome: DownloadOutcome): void => {
        inProgress.dec()
        downloads.inc({ kind, outcome })
        stop()
      }
    },
    sent: (count: number): void => bytes.inc(count),
  }
}
export type ArchiveMetrics = ReturnType<typeof createArchiveMetrics>
