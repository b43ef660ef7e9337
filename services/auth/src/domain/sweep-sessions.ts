import type { Clock, Logger } from '@confetti/service-kit'
import type { KnownAddressStore } from './known-addresses.ts'
import type { SessionStore } from './session.ts'

interface Deps {
  sessions: Pick<SessionStore, 'removeExpired'>
  knownAddresses: Pick<KnownAddressStore, 'removeExpired'>
  clock: Clock
  logger: Logger
}

/** Removes expired sessions, and addresses that are no longer known. */
export const makeSweepSessions =
  ({ sessions, knownAddresses, clock, logger }: Deps) =>
  async (): Promise<void> => {
    await knownAddresses.removeExpired(clock())
    const removed = await sessions.removeExpired(clock())
    if (removed > 0) logger.info({ removed }, 'expired sessions removed')
  }
