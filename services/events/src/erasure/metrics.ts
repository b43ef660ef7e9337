import type { Clock, Metrics } from '@confetti/service-kit'
import { Gauge } from 'prom-client'

/** Measures how long the oldest deletion has waited to be complete. */
export const createEventMetrics = (registry: Metrics, clock: Clock) => {
  let oldest: Date | undefined
  new Gauge({
    name: 'events_erasure_oldest_age_seconds',
    help: 'Age of the oldest deletion of an event that other services have not completed',
    registers: [registry],
    collect() {
      this.set(oldest ? Math.max(0, clock().getTime() - oldest.getTime()) / 1_000 : 0)
    },
  })
  return {
    oldestDeletion: (at: Date | undefined): void => {
      oldest = at
    },
  }
}
export type EventMetrics = ReturnType<typeof createEventMetrics>
