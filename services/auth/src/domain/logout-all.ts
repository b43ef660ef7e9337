import { changeAccount } from './change-account.ts'
import type { SessionStore } from './session.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find' | 'change'>
  sessions: Pick<SessionStore, 'revokeAll'>
}

/** Ends all sessions of an account and revokes its access tokens. */
export const makeLogoutAll =
  ({ users, sessions }: Deps) =>
  async (userId: string): Promise<void> => {
    await changeAccount(users, userId, () => ({ action: 'user.signed-out-everywhere', endsSessions: true }))
    await sessions.revokeAll(userId)
  }
export type LogoutAll = ReturnType<typeof makeLogoutAll>
