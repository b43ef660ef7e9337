import { newAccount } from '@confetti/contracts'
import { unauthenticated } from '@confetti/service-kit'
import type { PasswordHasher } from './password-hasher.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import type { StartSession } from './start-session.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'findByEmail'>
  passwordHasher: PasswordHasher
  throttle: SignInThrottle
  startSession: StartSession
}

/** Starts a session for an account. Throws `unauthenticated`, after the same time whether the account exists or not. */
export const makeLogin =
  ({ users, passwordHasher, throttle, startSession }: Deps) =>
  async ({ email, password, address }: { email: string; password: string; address: string }) => {
    const user = await throttle({ email, address }, async () => {
      // An address that cannot be registered is not looked up: databases do not accept every string (NUL).
      const canExist = newAccount.shape.email.safeParse(email).success
      const account = canExist ? await users.findByEmail(email) : undefined
      const isCorrect = await passwordHasher.verify(password, account?.passwordHash)
      return isCorrect ? account?.user : undefined
    })
    if (!user) throw unauthenticated('Invalid email or password', { code: 'wrong_credentials' })
    return startSession(user)
  }
export type Login = ReturnType<typeof makeLogin>
