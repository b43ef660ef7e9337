import { addressKey, conflict, type RateLimiter } from '@confetti/service-kit'
import type { PasswordHasher } from './password-hasher.ts'
import type { StartSession } from './start-session.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'add'>
  passwordHasher: PasswordHasher
  /** Counts attempts by IP address. */
  rateLimiter: RateLimiter
  startSession: StartSession
}

/** Creates an account with role user and starts a session. Throws `conflict` if the email address is taken. */
export const makeRegister =
  ({ users, passwordHasher, rateLimiter, startSession }: Deps) =>
  async ({ email, password, address }: { email: string; password: string; address: string }) => {
    // Failed attempts count as well: they reveal which email addresses have accounts.
    await rateLimiter.consume(addressKey(address))
    const passwordHash = await passwordHasher.hash(password)
    const user = await users.add({ email, role: 'user', passwordHash })
    if (!user) {
      const message = 'An account with this email already exists.'
      throw conflict(message, { code: 'email_taken', details: [{ field: 'email', message }] })
    }
    return startSession(user)
  }
export type Register = ReturnType<typeof makeRegister>
