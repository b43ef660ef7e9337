import type { LeaveAdmins } from './last-admin.ts'
import type { KnownAddressStore } from './known-addresses.ts'
import type { SessionStore } from './session.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'erase'>
  sessions: Pick<SessionStore, 'revokeAll'>
  knownAddresses: Pick<KnownAddressStore, 'removeOfUser'>
  leaveAdmins: LeaveAdmins
}

/**
 * Erases an account and its sessions, and publishes `user.deleted`. Throws `notFound`, and `conflict` if no active admin
 * would remain.
 */
export const makeEraseUser =
  ({ users, sessions, knownAddresses, leaveAdmins }: Deps) =>
  async (userId: string): Promise<void> => {
    await leaveAdmins(userId, users.erase)
    await sessions.revokeAll(userId)
    await knownAddresses.removeOfUser(userId)
  }
export type EraseUser = ReturnType<typeof makeEraseUser>
