import type { Logger } from '@confetti/service-kit'
import type { SessionStore } from '../storage/session-store.ts'

/** Removes expired sessions every `everyMs`, for as long as the process has something else to do. */
export const startSessionSweep = ({
  sessions,
  everyMs,
  clock,
  logger,
}: {
  sessions: SessionStore
  everyMs: number
  clock: { now: () => Date }
  logger: Logger
}): void => {
  const sweep = async (): Promise<void> => {
    try {
      const removed = await sessions.removeExpired(clock.now())
      if (removed > 0) logger.info({ removed }, 'expired sessions removed')
    } catch (error) {
      logger.warn({ err: error }, 'expired sessions stay until the next sweep')
    }
  }
  setInterval(() => void sweep(), everyMs).unref()
}
