import type { UploadVisibility } from '@confetti/contracts'
import { inSpan, type Metrics } from '@confetti/service-kit'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { AddedUpload } from './upload.ts'
import type { FormSlots } from './sending/form/form-slots.ts'
import type { Slots } from './sending/slots.ts'

/** How the bytes of a file were sent: through this service, or straight to blob storage. */
type UploadPath = 'multipart' | 'direct'
type Phase = 'admit' | 'receive' | 'inspect' | 'record'
const copySteps = ['requested', 'made', 'abandoned'] as const

/** Counts the files that guests send, by result, and the duration of the phases of an upload. */
export const createUploadMetrics = (
  registry: Metrics,
  { formSlots, callSlots }: { formSlots: FormSlots; callSlots: Slots },
) => {
  const files = new Counter({
    name: 'uploads_files_total',
    help: 'Files sent by guests, by path (multipart or direct) and result: stored, duplicate, or the code of the error',
    labelNames: ['path', 'result'] as const,
    registers: [registry],
  })
  const bytes = new Counter({
    name: 'uploads_bytes_total',
    help: 'Bytes of stored files, by path (multipart or direct)',
    labelNames: ['path'] as const,
    registers: [registry],
  })
  const tickets = new Counter({
    name: 'uploads_tickets_total',
    help: 'Tickets for direct uploads that guests asked for, by outcome: send, duplicate, or the code of the error',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  const ticketAges = new Histogram({
    name: 'uploads_ticket_to_completion_seconds',
    help: 'Seconds from the ticket of a direct upload to its completion',
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400],
    registers: [registry],
  })
  const swept = new Counter({
    name: 'uploads_swept_total',
    help: 'Uploads whose bytes the sweep removed: never completed, or sent twice',
    registers: [registry],
  })
  const orphansKept = new Gauge({
    name: 'uploads_orphans_kept',
    help: 'Uploads without a record whose bytes the last sweep has left to the next ones, as it removes at most SWEEP_ORPHANS_LIMIT',
    registers: [registry],
  })
  const databaseBehind = new Gauge({
    name: 'uploads_database_behind',
    help: '1 while database and container are not of the same time: one was restored or replaced, and nothing without a record is removed',
    registers: [registry],
  })
  const abandoned = new Counter({
    name: 'uploads_processing_abandoned_total',
    help: 'Uploads that failed because they were never processed, although it was requested again and again',
    registers: [registry],
  })
  const copies = new Counter({
    name: 'uploads_copies_total',
    help: 'Copies of photos that were missing, by step: requested (also again), made, or abandoned (requested for the last time)',
    labelNames: ['step'] as const,
    registers: [registry],
  })
  // Starting at zero: Prometheus sees no increase in a series that starts at one.
  for (const step of copySteps) copies.inc({ step }, 0)
  const visibilityChanges = new Counter({
    name: 'uploads_visibility_changes_total',
    help: 'Uploads that members have shown to guests, hidden, or set to wait for approval, by visibility',
    labelNames: ['visibility'] as const,
    registers: [registry],
  })
  const reports = new Counter({
    name: 'uploads_reports_total',
    help: 'Reports of guests about uploads, by outcome: counted, pending (the upload waits for approval), or ignored',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  const takenBack = new Counter({
    name: 'uploads_taken_back_total',
    help: 'Uploads that the guests who sent them have deleted',
    registers: [registry],
  })
  const renamed = new Counter({
    name: 'uploads_renamed_total',
    help: 'Uploads that guests or members have given another name',
    registers: [registry],
  })
  const ownLinks = new Counter({
    name: 'uploads_own_links_total',
    help: 'Links of guests to what they have sent, by what was done with them',
    labelNames: ['action'] as const,
    registers: [registry],
  })
  const restored = new Counter({
    name: 'uploads_restored_total',
    help: 'Uploads that guests have restored after deleting them',
    registers: [registry],
  })
  new Gauge({
    name: 'uploads_bytes_in_flight',
    help: 'Bytes of memory that forms use',
    registers: [registry],
    collect() {
      this.set(formSlots.usedBytes())
    },
  })
  new Gauge({
    name: 'uploads_bytes_in_flight_limit',
    help: 'The most bytes of memory that forms may use',
    registers: [registry],
  }).set(formSlots.limitBytes)
  new Gauge({
    name: 'uploads_calls_waiting',
    help: 'Calls for tickets and completions that wait, as many others are worked on',
    registers: [registry],
    collect() {
      this.set(callSlots.waiting())
    },
  })
  const phases = new Histogram({
    name: 'uploads_phase_duration_seconds',
    help: 'Seconds that forms wait for memory (admit) and arrive in blob storage (receive), that completions of direct uploads look at what has arrived (inspect), and that either is recorded (record)',
    labelNames: ['phase'] as const,
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
    registers: [registry],
  })
  return {
    stored: ({ upload, kind }: AddedUpload, path: UploadPath): void => {
      files.inc({ path, result: kind === 'duplicate' ? 'duplicate' : 'stored' })
      if (kind !== 'duplicate') bytes.inc({ path }, upload.size)
    },
    rejected: (code: string, path: UploadPath): void => {
      files.inc({ path, result: code })
    },
    ticket: (outcome: string): void => tickets.inc({ outcome }),
    /** Records how old the ticket of a direct upload was when it was completed. */
    ticketAge: (ageMs: number): void => ticketAges.observe(ageMs / 1_000),
    swept: (count: number): void => swept.inc(count),
    /** Records how many removable orphans the last sweep has left to the next ones. */
    orphansKept: (count: number): void => orphansKept.set(count),
    databaseRestored: (isRestored: boolean): void => databaseBehind.set(isRestored ? 1 : 0),
    abandoned: (): void => abandoned.inc(),
    copy: (step: (typeof copySteps)[number]): void => copies.inc({ step }),
    visibilityChanged: (visibility: UploadVisibility): void => visibilityChanges.inc({ visibility }),
    reported: (outcome: 'counted' | 'pending' | 'ignored'): void => reports.inc({ outcome }),
    takenBack: (): void => takenBack.inc(),
    restored: (): void => restored.inc(),
    ownLinksChanged: (action: 'created' | 'ended', count: number): void => ownLinks.inc({ action }, count),
    renamed: (count: number): void => renamed.inc(count),
    /** Runs `work`, and records its duration in the histogram and as a span. */
    phase: <T>(phase: Phase, work: () => Promise<T>): Promise<T> =>
      inSpan(phase, {}, async () => {
        const stop = phases.startTimer({ phase })
        return work().finally(stop)
      }),
  }
}
export type UploadMetrics = ReturnType<typeof createUploadMetrics>
