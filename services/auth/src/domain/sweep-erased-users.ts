import type { Clock, Logger } from '@confetti/service-kit'
import type { KnownAddressStore } from './known-addresses.ts'
import type { SessionStore } from './session.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'listErased' | 'remove'>
  sessions: Pick<SessionStore, 'revokeAll'>
  knownAddresses: Pick<KnownAddressStore, 'removeOfUser'>
  /** How long the record of an erased account is kept, so that its access tokens stay revoked. */
  keepMs: number
  clock: Clock
  logger: Logger
}

/** Removes the empty records of erased accounts, and what was written about them while they were erased. */
export const makeSweepErasedUsers =
  ({ users, sessions, knownAddresses, keepMs, clock, logger }: Deps) =>
  async (): Promise<void> => {
    const userIds = await users.listErased(new Date(clock().getTime() - keepMs))
    for (const userId of userIds) {
      await sessions.revokeAll(userId)
      await knownAddresses.removeOfUser(userId)
      await users.remove(userId)
    }
    if (userIds.length > 0) logger.info({ removed: userIds.length }, 'records of erased accounts removed')
  }
