import { Gauge } from 'prom-client'
import type { Deps } from '../deps.ts'
import { eventHolders, type EventHolder } from '../event.ts'

/** Measures how long the oldest deletion has waited for each service. */
const createEventMetrics = ({ registry, clock }: Deps) => {
  const oldest: Partial<Record<EventHolder, Date | undefined>> = {}
  new Gauge({
    name: 'events_erasure_oldest_age_seconds',
    help: 'Age of the oldest deletion of an event that a service has not completed',
    labelNames: ['holder'] as const,
    registers: [registry],
    collect() {
      for (const holder of eventHolders) {
        const at = oldest[holder]
        this.set({ holder }, at ? Math.max(0, clock().getTime() - at.getTime()) / 1_000 : 0)
      }
    },
  })
  return {
    oldestDeletion: (holder: EventHolder, at: Date | undefined): void => {
      oldest[holder] = at
    },
  }
}
const BATCH_SIZE = 100

/**
 * Deletes events whose time has come, and requests the erasure again of those that others have not erased. Several
 * replicas can run it at once.
 */
export const createSweep = (deps: Deps) => {
  const { config, events, erasedIds, clock, logger } = deps
  const metrics = createEventMetrics(deps)
  return async (): Promise<void> => {
    const now = clock()
    const due = await events.listDue(now, BATCH_SIZE)
    for (const eventId of due) {
      const deleted = await events.markDeleted(eventId, now)
      if (deleted) logger.info({ eventId }, 'event deleted, its keep days have passed')
    }
    await erasedIds.removeOld()
    const before = new Date(now.getTime() - config.ERASURE_TIMEOUT_MS)
    const eventIds = await events.repeatDeletions(before, now, BATCH_SIZE)
    if (eventIds.length > 0) logger.warn({ eventIds }, 'deleted events are not erased yet, will retry')
    for (const holder of eventHolders) metrics.oldestDeletion(holder, await events.findOldestDeletion(holder))
  }
}
