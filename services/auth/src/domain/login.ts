import { newAccount } from '@confetti/contracts'
import { unauthenticated } from '@confetti/service-kit'
import type { UserStore } from '../storage/user-store.ts'
import type { Passwords } from './passwords.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import type { StartSession } from './start-session.ts'

interface Deps {
  users: UserStore
  passwords: Passwords
  throttle: SignInThrottle
  startSession: StartSession
}

/** Signs somebody in. Throws `unauthenticated`, after the same time whether there is such an account or not. */
export const makeLogin =
  ({ users, passwords, throttle, startSession }: Deps) =>
  async ({ email, password, address }: { email: string; password: string; address: string }) => {
    const user = await throttle({ email, address }, async () => {
      // What cannot be registered is not looked up: databases do not take every string (NUL).
      const canExist = newAccount.shape.email.safeParse(email).success
      const account = canExist ? await users.findByEmail(email) : undefined
      const right = await passwords.matches(password, account?.passwordHash)
      return right ? account?.user : undefined
    })
    if (!user) throw unauthenticated('Invalid email or password', { code: 'wrong_credentials' })
    return startSession(user)
  }
export type Login = ReturnType<typeof makeLogin>
