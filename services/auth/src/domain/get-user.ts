import type { User } from '@confetti/contracts'
import { notFound } from '@confetti/service-kit'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find'>
}

/** One account. Throws `notFound`. */
export const makeGetUser =
  ({ users }: Deps) =>
  async (userId: string): Promise<User> => {
    const user = await users.find(userId)
    if (!user) throw notFound('User not found.', { code: 'user_not_found' })
    return user
  }
export type GetUser = ReturnType<typeof makeGetUser>
