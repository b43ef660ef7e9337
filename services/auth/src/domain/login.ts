import { newAccount } from '@confetti/contracts'
import { forbidden, unauthenticated, type Clock } from '@confetti/service-kit'
import type { Credentials } from './credentials.ts'
import type { KnownAddresses } from './known-addresses.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { RecordLanguage } from './record-language.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import type { StartSession } from './start-session.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'findByEmail' | 'recordSignIn'>
  passwordHasher: PasswordHasher
  throttle: SignInThrottle
  recordLanguage: RecordLanguage
  startSession: StartSession
  knownAddresses: Pick<KnownAddresses, 'remember'>
  clock: Clock
}

/**
 * Starts a session for an account. Throws `unauthenticated`, after the same time whether the account exists or not, and
 * `forbidden` for the correct password of a deactivated account.
 */
export const makeLogin =
  ({ users, passwordHasher, throttle, recordLanguage, startSession, knownAddresses, clock }: Deps) =>
  async ({ email, password, address, language }: Credentials) => {
    const account = await throttle({ email, address }, async () => {
      // An address that cannot be registered is not looked up: databases do not accept every string (NUL).
      const canExist = newAccount.shape.email.safeParse(email).success
      const found = canExist ? await users.findByEmail(email) : undefined
      const isCorrect = await passwordHasher.verify(password, found?.passwordHash)
      return isCorrect ? found : undefined
    })
    if (!account) throw unauthenticated('Invalid email or password', { code: 'wrong_credentials' })
    if (!account.isActive)
      throw forbidden('This account has been deactivated. Please ask an admin.', {
        code: 'account_deactivated',
      })
    await users.recordSignIn(account.user._id, clock())
    await knownAddresses.remember(account.user._id, { email, address })
    await recordLanguage(account, language)
    return startSession(account)
  }
export type Login = ReturnType<typeof makeLogin>
