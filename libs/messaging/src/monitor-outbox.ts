import { runPeriodically, type Logger, type Metrics } from '@confetti/service-kit'
import type { Model } from 'mongoose'
import { Gauge } from 'prom-client'
import type { OutboxFields } from './outbox.ts'

const INTERVAL_MS = 10_000
// Bounds the cost of counting.
const MAX_COUNTED = 100_000
// Documents are read in the order of their insertion, so the oldest message is among the first.
const MAX_READ = 500
const QUERY_TIMEOUT_MS = 2_000

/**
 * Measures the pending outboxes of `model` and the age of the oldest message periodically. While the database is
 * unavailable, the metrics keep their last values, and the age grows. Returns a function that stops it.
 */
export const monitorOutbox = <T extends OutboxFields>(
  model: Model<T>,
  { registry, logger, intervalMs = INTERVAL_MS }: { registry: Metrics; logger: Logger; intervalMs?: number },
): (() => Promise<void>) => {
  const outboxes = model as unknown as Model<OutboxFields>
  let pending = 0
  let oldest: number | undefined
  new Gauge({
    name: 'outbox_pending',
    help: 'Documents with messages to publish, counted up to 100,000',
    registers: [registry],
    collect() {
      this.set(pending)
    },
  })
  new Gauge({
    name: 'outbox_oldest_age_seconds',
    help: 'Age of the oldest message to publish',
    registers: [registry],
    collect() {
      this.set(oldest === undefined ? 0 : Math.max(0, Date.now() - oldest) / 1_000)
    },
  })

  const measure = async (): Promise<void> => {
    const isPending = { outboxPending: true }
    const documents = await outboxes
      .find(isPending, { outbox: 1 })
      .limit(MAX_READ)
      .maxTimeMS(QUERY_TIMEOUT_MS)
      .lean()
    const count =
      documents.length < MAX_READ
        ? documents.length
        : await outboxes.countDocuments(isPending, { limit: MAX_COUNTED, maxTimeMS: QUERY_TIMEOUT_MS })
    const times = documents.flatMap(({ outbox }) => outbox.map(({ time }) => Date.parse(time)))
    pending = count
    oldest = times.length > 0 ? Math.min(...times) : undefined
  }
  return runPeriodically(
    () => measure().catch((error: unknown) => logger.debug({ err: error }, 'failed to measure outbox')),
    { name: 'outbox monitor', intervalMs, logger },
  )
}
