import type { Metrics } from '@confetti/service-kit'
import { Counter, Gauge } from 'prom-client'
import type { BytesInFlight } from './domain/bytes-in-flight.ts'
import type { KeptFile } from './domain/keep-file.ts'

/** Counts what becomes of the files that guests send. */
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
    help: 'Bytes of files that wait in memory for blob storage',
    registers: [registry],
    collect() {
      this.set(room.held())
    },
  })
  return {
    kept: ({ upload, duplicate }: KeptFile): void => {
      files.inc({ result: duplicate ? 'duplicate' : 'kept' })
      if (!duplicate) bytes.inc(upload.size)
    },
    refused: (code: string): void => {
      files.inc({ result: code })
    },
  }
}
export type UploadMetrics = ReturnType<typeof createUploadMetrics>
