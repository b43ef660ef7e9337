import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { conflict, type Clock } from '@confetti/service-kit'
import { accountBusy, userNotFound } from './change-account.ts'
import type { Account, UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find' | 'change' | 'listOtherAdmins'>
  clock: Clock
}

const MAX_ATTEMPTS = 10
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
export const makeLeaveAdmins = ({ users, clock }: Deps) => {
  const releaseStaleMarks = (admins: readonly Account[]) =>
    Promise.all(
      admins
        .filter(
          ({ leavingAdminsSince: since }) => since && clock().getTime() - since.getTime() > STALE_MARK_MS,
        )
        .map((admin) => users.change(admin, { leavingAdminsSince: null })),
    )

  return async <T>(userId: string, leave: (account: Account) => Promise<T | undefined>): Promise<T> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const account = await users.find(userId)
      if (!account) throw userNotFound()
      const marked = isAdmin(account) ? await users.change(account, { leavingAdminsSince: clock() }) : account
      if (!marked) continue
      const others = isAdmin(account) ? await users.listOtherAdmins(userId) : []
      if (!isAdmin(account) || others.some(({ leavingAdminsSince }) => !leavingAdminsSince)) {
        const result = await leave(marked)
        if (result !== undefined) return result
        continue
      }
      await users.change(marked, { leavingAdminsSince: null })
      if (others.length === 0) throw lastAdmin()
      // All others are leaving. One of them stays if it is the last, so its request ends first.
      await releaseStaleMarks(others)
      await sleep(randomInt(20, 120))
    }
    throw accountBusy()
  }
}
export type LeaveAdmins = ReturnType<typeof makeLeaveAdmins>
