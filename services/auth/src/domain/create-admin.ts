import type { User } from '@confetti/contracts'
import { conflict } from '@confetti/service-kit'
import type { UserStore } from '../storage/user-store.ts'
import type { Passwords } from './passwords.ts'

/** Makes an account with role admin. Promotes nobody: throws `conflict` when the address has an account. */
export const makeCreateAdmin =
  ({ users, passwords }: { users: UserStore; passwords: Passwords }) =>
  async ({ email, password }: { email: string; password: string }): Promise<User> => {
    const admin = await users.add({ email, role: 'admin', passwordHash: await passwords.hash(password) })
    if (!admin) throw conflict('An account with this email already exists.', { code: 'email_taken' })
    return admin
  }
