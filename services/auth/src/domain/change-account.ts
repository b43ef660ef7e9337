import { notFound, unavailable } from '@confetti/service-kit'
import type { Account, AccountChange, UserStore } from './user.ts'

const MAX_ATTEMPTS = 10

export const userNotFound = () => notFound('User not found.', { code: 'user_not_found' })
export const accountBusy = () => unavailable('The account is being changed right now. Please try again.')

/**
 * Changes an account by what `decide` returns for its current state, and decides again if a concurrent request has
 * changed it meanwhile. Throws `notFound` if there is no such account, and what `decide` throws.
 */
export const changeAccount = async (
  users: Pick<UserStore, 'find' | 'change'>,
  userId: string,
  decide: (account: Account) => AccountChange,
): Promise<Account> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const account = await users.find(userId)
    if (!account) throw userNotFound()
    const changed = await users.change(account, decide(account))
    if (changed) return changed
  }
  throw accountBusy()
}
