import type { Clock, ErasedIds, Logger } from '@confetti/service-kit'
import type { AuditStore } from './audit.ts'

interface Deps {
  audit: Pick<AuditStore, 'removeBefore'>
  erasedIds: Pick<ErasedIds, 'removeOld'>
  /** How long entries are kept. */
  keepMs: number
  clock: Clock
  logger: Logger
}

/** Removes entries of the audit log that have been kept long enough. */
export const makeSweepAudit =
  ({ audit, erasedIds, keepMs, clock, logger }: Deps) =>
  async (): Promise<void> => {
    const removed = await audit.removeBefore(new Date(clock().getTime() - keepMs))
    if (removed > 0) logger.info({ removed }, 'old entries of the audit log removed')
    await erasedIds.removeOld()
  }
