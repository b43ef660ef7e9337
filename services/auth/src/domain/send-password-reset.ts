import { conflict, type Clock } from '@confetti/service-kit'
import type { AccountMail } from './account-mail.ts'
import { changeAccount } from './change-account.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find' | 'change'>
  mail: Pick<AccountMail, 'sendsMail' | 'newLink' | 'linkMail'>
  linkTtlMs: number
  clock: Clock
}

/**
 * Sends the owner of an account a link to set a new password, or returns the link where the system sends no mail. Throws
 * `notFound`, and `conflict` if the account has no password yet or may not sign in.
 */
export const makeSendPasswordReset =
  ({ users, mail, linkTtlMs, clock }: Deps) =>
  async (userId: string): Promise<{ resetUrl?: string }> => {
    const newLink = mail.newLink('password-reset', userId, new Date(clock().getTime() + linkTtlMs))
    await changeAccount(users, userId, (account) => {
      if (account.passwordHash === undefined)
        throw conflict('This account has no password yet. Please invite its owner again.', {
          code: 'invitation_pending',
        })
      if (!account.isActive)
        throw conflict('This account is deactivated. Please activate it first.', {
          code: 'account_deactivated',
        })
      return {
        passwordReset: newLink.link,
        action: 'user.password-reset-sent',
        mail: mail.linkMail('password-reset', account, newLink),
      }
    })
    return mail.sendsMail ? {} : { resetUrl: newLink.url }
  }
export type SendPasswordReset = ReturnType<typeof makeSendPasswordReset>
