import { addressKey, conflict, forbidden, type Clock, type RateLimiter } from '@confetti/service-kit'
import type { Credentials } from './credentials.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { StartSession } from './start-session.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'add'>
  passwordHasher: PasswordHasher
  /** Counts attempts by IP address. */
  rateLimiter: RateLimiter
  startSession: StartSession
  /** Whether people can register without an invitation. */
  isOpen: boolean
  clock: Clock
}

/**
 * Creates an account with role user and starts a session. Throws `forbidden` where accounts are by invitation only, and
 * `conflict` if the email address is taken.
 */
export const makeRegister =
  ({ users, passwordHasher, rateLimiter, startSession, isOpen, clock }: Deps) =>
  async ({ email, password, address, language }: Credentials) => {
    if (!isOpen)
      throw forbidden('Accounts are by invitation only. Please ask an admin to invite you.', {
        code: 'registration_closed',
      })
    // Failed attempts count as well: they reveal which email addresses have accounts.
    await rateLimiter.consume(addressKey(address))
    const passwordHash = await passwordHasher.hash(password)
    const account = await users.add({
      email,
      role: 'user',
      passwordHash,
      lastSignInAt: clock(),
      ...(language && { language }),
    })
    if (!account) {
      const message = 'An account with this email already exists.'
      throw conflict(message, {
        code: 'email_taken',
        details: [{ field: 'email', message, code: 'email_taken' }],
      })
    }
    return startSession(account)
  }
export type Register = ReturnType<typeof makeRegister>
