import { inSpan, type Metrics } from '@confetti/service-kit'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { BytesInFlight } from './domain/bytes-in-flight.ts'

type Phase = 'admit' | 'receive' | 'commit' | 'record'

/** Counts what becomes of the files that guests send, and measures how long it takes. */
export const createUploadMetrics = (registry: Metrics, room: BytesInFlight) => {
  const files = new Counter({
    name: 'uploads_files_total',
    help: 'Files that guests sent, by what became of them',
    labelNames: ['result'] as const,
    registers: [registry],
  })
  const bytes = new Counter({
    name: 'uploads_bytes_total',
    help: 'Bytes of files that were kept',
    registers: [registry],
  })
  new Gauge({
    name: 'uploads_bytes_in_flight',
    help: 'Bytes that requests and their files hold in memory',
    registers: [registry],
    collect() {
      this.set(room.held())
    },
  })
  new Gauge({
    name: 'uploads_bytes_in_flight_limit',
    help: 'The most bytes that requests and their files may hold in memory',
    registers: [registry],
  }).set(room.ceiling)
  const phases = new Histogram({
    name: 'uploads_phase_duration_seconds',
    help: 'Seconds that an upload spends waiting to be let in (admit), on the way in (receive), becoming readable in blob storage (commit) and being written down (record)',
    labelNames: ['phase'] as const,
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
    registers: [registry],
  })
  return {
    kept: ({ upload, duplicate }: { upload: { size: number }; duplicate: boolean }): void => {
      files.inc({ result: duplicate ? 'duplicate' : 'kept' })
      if (!duplicate) bytes.inc(upload.size)
    },
    refused: (code: string): void => {
      files.inc({ result: code })
    },
    /** Measures `work`, whatever comes of it, and shows it in the trace. */
    phase: <T>(phase: Phase, work: () => Promise<T>): Promise<T> =>
      inSpan(phase, {}, async () => {
        const stop = phases.startTimer({ phase })
        return work().finally(stop)
      }),
  }
}
export type UploadMetrics = ReturnType<typeof createUploadMetrics>
