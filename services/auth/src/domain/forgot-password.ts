import { newAccount } from '@confetti/contracts'
import { addressKey, AppError, type Clock, type Logger, type RateLimiter } from '@confetti/service-kit'
import type { AccountMail } from './account-mail.ts'
import type { BackgroundQueue } from './background-queue.ts'
import { changeAccount } from './change-account.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find' | 'findByEmail' | 'change'>
  mail: Pick<AccountMail, 'sendsMail' | 'newLink' | 'linkMail'>
  /** Counts requests by IP address. */
  perAddress: RateLimiter
  /** Counts requests by account. */
  perAccount: RateLimiter
  queue: BackgroundQueue
  linkTtlMs: number
  clock: Clock
  logger: Logger
}

/**
 * Requests a mail with a link to reset the password of an account. Returns whether the system sends mail, before the
 * account is looked up, so that neither the answer nor its time reveals whether it exists. Throws `tooManyRequests` for
 * too many requests from one IP address; too many for one account are ignored, because an error would reveal it.
 */
export const makeForgotPassword = ({
  users,
  mail,
  perAddress,
  perAccount,
  queue,
  linkTtlMs,
  clock,
  logger,
}: Deps) => {
  const hasRequestsLeft = async (email: string): Promise<boolean> => {
    try {
      await perAccount.consume(email)
      return true
    } catch (error) {
      if (error instanceof AppError && error.kind === 'too_many_requests') return false
      throw error
    }
  }

  const requestMail = async (email: string): Promise<void> => {
    // An address that cannot be registered is not looked up: databases do not accept every string (NUL).
    if (!newAccount.shape.email.safeParse(email).success) return
    if (!(await hasRequestsLeft(email))) {
      logger.info('too many password resets of one account, no mail is sent')
      return
    }
    const account = await users.findByEmail(email)
    if (!account?.isActive) return
    const { _id: userId } = account.user
    const newLink = mail.newLink('password-reset', userId, new Date(clock().getTime() + linkTtlMs))
    await changeAccount(users, userId, (latest) => ({
      passwordReset: newLink.link,
      mail: mail.linkMail('password-reset', latest, newLink),
    }))
  }

  return async ({ email, address }: { email: string; address: string }): Promise<boolean> => {
    if (!mail.sendsMail) return false
    await perAddress.consume(addressKey(address))
    queue.run(() => requestMail(email))
    return true
  }
}
export type ForgotPassword = ReturnType<typeof makeForgotPassword>
