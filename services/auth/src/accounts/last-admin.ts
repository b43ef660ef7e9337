import { changeUntilWritten, conflict, type Clock } from '@confetti/service-kit'
import { accountBusy, userNotFound } from './change-account.ts'
import type { Account, UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find' | 'change' | 'listOtherAdmins'>
  clock: Clock
}

// A request that died has left its mark. Removing the mark changes the account's revision, so that the request could not
// continue even if it were only slow.
const STALE_MARK_MS = 10_000

/** Whether the account can sign in as an admin. */
const isAdmin = ({ user, isActive, passwordHash }: Account): boolean =>
  user.role === 'admin' && isActive && passwordHash !== undefined

const lastAdmin = () =>
  conflict('This is the last active admin. Please make somebody else an admin first.', {
    code: 'last_admin',
  })

/**
 * Runs `leave`, which ends that an account is an active admin, unless it is the last one: then it throws `conflict`.
 * `leave` returns undefined if the account has changed since it was read.
 *
 * The database changes one document at a time, so two admins who remove each other could both see the other one. The
 * account is therefore marked first, and only unmarked admins count as others: of two concurrent requests, the one that
 * marks later finds the mark of the other. Each step requires the revision of the step before.
 */
export const createLeaveAdmins = ({ users, clock }: Deps) => {
  const releaseStaleMarks = (admins: readonly Account[]) =>
    Promise.all(
      admins
        .filter(
          ({ leavingAdminsSince: since }) => since && clock().getTime() - since.getTime() > STALE_MARK_MS,
        )
        .map((admin) => users.change(admin, { leavingAdminsSince: null })),
    )

  return <T>(userId: string, leave: (account: Account) => Promise<T | undefined>): Promise<T> =>
    changeUntilWritten(async () => {
      const account = await users.find(userId)
      if (!account) throw userNotFound()
      if (!isAdmin(account)) return leave(account)
      const marked = await users.change(account, { leavingAdminsSince: clock() })
      if (!marked) return undefined
      const others = await users.listOtherAdmins(userId)
      if (others.some(({ leavingAdminsSince }) => !leavingAdminsSince)) return leave(marked)
      await users.change(marked, { leavingAdminsSince: null })
      if (others.length === 0) throw lastAdmin()
      // All others are leaving. One of them stays if it is the last, so its request ends first.
      await releaseStaleMarks(others)
      return undefined
    }, accountBusy)
}
