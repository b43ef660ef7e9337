import type { User } from '@confetti/contracts'
import { conflict } from '@confetti/service-kit'
import type { PasswordHasher } from './password-hasher.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'add'>
  passwordHasher: PasswordHasher
}

/** Creates an account with role admin. Throws `conflict` if the address has an account: its role does not change. */
export const makeCreateAdmin =
  ({ users, passwordHasher }: Deps) =>
  async ({ email, password }: { email: string; password: string }): Promise<User> => {
    const passwordHash = await passwordHasher.hash(password)
    const admin = await users.add({ email, role: 'admin', passwordHash })
    if (!admin) throw conflict('An account with this email already exists.', { code: 'email_taken' })
    return admin.user
  }
