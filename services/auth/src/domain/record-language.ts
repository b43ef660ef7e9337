import type { Locale } from '@confetti/contracts'
import type { Logger } from '@confetti/service-kit'
import { changeAccount } from './change-account.ts'
import type { Account, UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'find' | 'change'>
  logger: Logger
}

/** Stores the language that the owner of an account reads, in which mails are written. A failure is only logged. */
export const makeRecordLanguage =
  ({ users, logger }: Deps) =>
  async (account: Account, language: Locale | undefined): Promise<void> => {
    if (language === undefined || language === account.language) return
    try {
      await changeAccount(users, account.user._id, () => ({ language }))
    } catch (error) {
      logger.warn({ err: error, userId: account.user._id }, 'failed to store the language of an account')
    }
  }
export type RecordLanguage = ReturnType<typeof makeRecordLanguage>
