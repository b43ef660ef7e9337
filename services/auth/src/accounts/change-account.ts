import { changeUntilWritten, notFound, unavailable } from '@confetti/service-kit'
import type { Account, AccountChange, UserStore } from './user.ts'

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
): Promise<Account> =>
  changeUntilWritten(async () => {
    const account = await users.find(userId)
    if (!account) throw userNotFound()
    return users.change(account, decide(account))
  }, accountBusy)
