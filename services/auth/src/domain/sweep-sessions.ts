import type { Clock, Logger } from '@confetti/service-kit'
import type { SessionStore } from './session.ts'

interface Deps {
  sessions: Pick<SessionStore, 'removeExpired'>
  clock: Clock
  logger: Logger
}

/** Removes expired sessions. */
export const makeSweepSessions =
  ({ sessions, clock, logger }: Deps) =>
  async (): Promise<void> => {
    const removed = await sessions.removeExpired(clock())
    if (removed > 0) logger.info({ removed }, 'expired sessions removed')
  }
