import type { UserSummary } from '@confetti/contracts'
import { userNotFound } from './change-account.ts'
import { toUserSummary, type UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find'>
}

/** One account. Throws `notFound`. */
export const makeGetUser =
  ({ users }: Deps) =>
  async (userId: string): Promise<UserSummary> => {
    const account = await users.find(userId)
    if (!account) throw userNotFound()
    return toUserSummary(account)
  }
export type GetUser = ReturnType<typeof makeGetUser>
