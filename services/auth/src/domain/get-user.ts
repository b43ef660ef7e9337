import type { User } from '@confetti/contracts'
import { notFound } from '@confetti/service-kit'
import type { UserStore } from '../storage/user-store.ts'

/** One account. Throws `notFound`. */
export const makeGetUser =
  ({ users }: { users: UserStore }) =>
  async (userId: string): Promise<User> => {
    const user = await users.find(userId)
    if (!user) throw notFound('User not found.')
    return user
  }
export type GetUser = ReturnType<typeof makeGetUser>
