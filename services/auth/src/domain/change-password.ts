import { invalid, unauthenticated } from '@confetti/service-kit'
import type { AccountMail } from './account-mail.ts'
import { changeAccount } from './change-account.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { SessionStore } from './session.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import type { StartSession } from './start-session.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find' | 'change'>
  sessions: Pick<SessionStore, 'revokeAll'>
  passwordHasher: PasswordHasher
  throttle: SignInThrottle
  startSession: StartSession
  mail: Pick<AccountMail, 'passwordChangedMail'>
}

interface Input {
  userId: string
  currentPassword: string
  newPassword: string
  address: string
}

// Not 401, which clients understand as the end of the session.
const wrongPassword = () => {
  const message = 'The current password is wrong.'
  return invalid(message, {
    code: 'wrong_password',
    details: [{ field: 'currentPassword', message, code: 'wrong_password' }],
  })
}

/**
 * Changes the password of an account, ends all of its sessions and starts a new one. Wrong current passwords count as
 * failed sign-ins. Throws `invalid` if the current password is wrong.
 */
export const makeChangePassword =
  ({ users, sessions, passwordHasher, throttle, startSession, mail }: Deps) =>
  async ({ userId, currentPassword, newPassword, address }: Input) => {
    const account = await users.find(userId)
    if (!account) throw unauthenticated('Please sign in.')
    const { passwordHash: currentHash } = account
    const isCorrect = await throttle({ email: account.user.email, address }, async () =>
      (await passwordHasher.verify(currentPassword, currentHash)) ? true : undefined,
    )
    if (!isCorrect) throw wrongPassword()
    const passwordHash = await passwordHasher.hash(newPassword)
    const changed = await changeAccount(users, userId, (latest) => {
      if (!latest.isActive) throw unauthenticated('Please sign in.')
      if (latest.passwordHash !== currentHash) throw wrongPassword()
      return {
        passwordHash,
        passwordReset: null,
        action: 'user.password-changed',
        endsSessions: true,
        mail: mail.passwordChangedMail(latest),
      }
    })
    await sessions.revokeAll(userId)
    const { accessToken, refreshToken } = await startSession(changed)
    return { accessToken, refreshToken }
  }
export type ChangePassword = ReturnType<typeof makeChangePassword>
