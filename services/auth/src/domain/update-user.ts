import type { Account as AccountView, Role } from '@confetti/contracts'
import { toAccountView } from './account-view.ts'
import type { LeaveAdmins } from './last-admin.ts'
import { changeAccount } from './change-account.ts'
import type { SessionStore } from './session.ts'
import type { Account, AccountChange, UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find' | 'change'>
  sessions: Pick<SessionStore, 'revokeAll'>
  leaveAdmins: LeaveAdmins
}

interface Changes {
  role?: Role | undefined
  active?: boolean | undefined
}

const toChange = (
  { user, isActive }: Account,
  { role = user.role, active = isActive }: Changes,
): AccountChange => ({
  ...(role !== user.role && { role }),
  ...(active !== isActive && { isActive: active }),
  ...(!active && { endsSessions: true }),
  leavingAdminsSince: null,
})

/**
 * Changes the role of an account, or whether it may sign in; deactivating it ends its sessions. Throws `notFound`, and
 * `conflict` if no active admin would remain.
 */
export const makeUpdateUser =
  ({ users, sessions, leaveAdmins }: Deps) =>
  async (userId: string, changes: Changes): Promise<AccountView> => {
    const removesAdmin = changes.role === 'user' || changes.active === false
    const changed = removesAdmin
      ? await leaveAdmins(userId, (account) => users.change(account, toChange(account, changes)))
      : await changeAccount(users, userId, (account) => toChange(account, changes))
    if (!changed.isActive) await sessions.revokeAll(userId)
    return toAccountView(changed)
  }
export type UpdateUser = ReturnType<typeof makeUpdateUser>
