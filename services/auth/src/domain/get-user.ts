import type { User } from '@confetti/contracts'
import { userNotFound } from './change-account.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find'>
}

/** One account. Throws `notFound`. */
export const makeGetUser =
  ({ users }: Deps) =>
  async (userId: string): Promise<User> => {
    const account = await users.find(userId)
    if (!account) throw userNotFound()
    return account.user
  }
export type GetUser = ReturnType<typeof makeGetUser>
