import { addressKey, conflict, type RateLimiter } from '@confetti/service-kit'
import type { UserStore } from '../storage/user-store.ts'
import type { Passwords } from './passwords.ts'
import type { StartSession } from './start-session.ts'

interface Deps {
  users: UserStore
  passwords: Passwords
  registrations: RateLimiter
  startSession: StartSession
}

/** Makes an account with role user and signs it in. Throws `conflict` when its address is taken. */
export const makeRegister =
  ({ users, passwords, registrations, startSession }: Deps) =>
  async ({ email, password, address }: { email: string; password: string; address: string }) => {
    // Refused ones count as well: they tell a stranger which addresses have accounts.
    await registrations.take(addressKey(address))
    const user = await users.add({ email, role: 'user', passwordHash: await passwords.hash(password) })
    if (!user) throw conflict('An account with this email already exists.', { code: 'email_taken' })
    return startSession(user)
  }
export type Register = ReturnType<typeof makeRegister>
