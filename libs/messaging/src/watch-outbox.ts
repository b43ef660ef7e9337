import { repeat, type Logger, type Metrics } from '@confetti/service-kit'
import type { Model } from 'mongoose'
import { Gauge } from 'prom-client'
import type { OutboxFields } from './outbox.ts'

const LOOK_EVERY_MS = 10_000
// Far more than anybody needs to know exactly; it bounds what the count can cost.
const MOST_COUNTED = 100_000
// Documents that never waited before come in the order in which they were written.
const MOST_READ = 500
const TIME_LIMIT_MS = 2_000

/**
 * Counts every 10 s, give or take, the documents of `model` that wait to be told, and looks for the oldest fact.
 * While the database is away the last answer stands, and the fact grows older. Returns how to stop.
 */
export const watchOutbox = <T extends OutboxFields>(
  model: Model<T>,
  registry: Metrics,
  logger: Logger,
): (() => Promise<void>) => {
  const outboxes = model as unknown as Model<OutboxFields>
  let pending = 0
  let oldest: number | undefined
  new Gauge({
    name: 'outbox_pending',
    help: 'Documents with facts that wait to be sent; 100,000 at most are counted',
    registers: [registry],
    collect() {
      this.set(pending)
    },
  })
  new Gauge({
    name: 'outbox_oldest_age_seconds',
    help: 'Age of the oldest fact that waits to be sent',
    registers: [registry],
    collect() {
      this.set(oldest === undefined ? 0 : Math.max(0, Date.now() - oldest) / 1_000)
    },
  })

  const look = async (): Promise<void> => {
    const waiting = { outboxPending: true }
    const count = await outboxes.countDocuments(waiting, { limit: MOST_COUNTED, maxTimeMS: TIME_LIMIT_MS })
    const documents = await outboxes
      .find(waiting, { outbox: 1 })
      .limit(MOST_READ)
      .maxTimeMS(TIME_LIMIT_MS)
      .lean()
    const times = documents.flatMap(({ outbox }) => outbox.map(({ time }) => Date.parse(time)))
    pending = count
    oldest = times.length > 0 ? Math.min(...times) : undefined
  }
  return repeat(
    () => look().catch((error: unknown) => logger.debug({ err: error }, 'outbox not seen')),
    LOOK_EVERY_MS,
    logger,
  )
}
