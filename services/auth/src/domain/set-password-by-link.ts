import { invalid, type Clock } from '@confetti/service-kit'
import { opensLink, parseUserId } from './account-link.ts'
import { changeAccount } from './change-account.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { SessionStore } from './session.ts'
import type { Account, RequestedMail, UserStore } from './user.ts'

export interface SetPasswordDeps {
  users: Pick<UserStore, 'find' | 'change'>
  sessions: Pick<SessionStore, 'revokeAll'>
  passwordHasher: PasswordHasher
  clock: Clock
}

export interface PasswordByLink {
  token: string
  password: string
}

const actions = { invitation: 'user.invitation-accepted', passwordReset: 'user.password-reset' } as const

/**
 * Sets the password of the account that the token of a link belongs to. This and all other links of the account stop
 * working, and all of its sessions end. `mailAbout` returns a mail to its owner. Throws `invalid` if the link has been
 * used, has expired or has been replaced, or the account may not sign in.
 */
export const makeSetPasswordByLink = (
  { users, sessions, passwordHasher, clock }: SetPasswordDeps,
  kind: 'invitation' | 'passwordReset',
  mailAbout: (account: Account) => RequestedMail | undefined = () => undefined,
) => {
  const requireOpen = (account: Account | undefined, token: string): Account => {
    if (account?.isActive && opensLink(account[kind], token, clock())) return account
    throw invalid('This link is no longer valid. Please ask for a new one.', { code: 'link_invalid' })
  }

  return async ({ token, password }: PasswordByLink): Promise<Account> => {
    const userId = parseUserId(token)
    // A hash is costly, so it is not computed for a false link.
    const { user } = requireOpen(userId ? await users.find(userId) : undefined, token)
    const passwordHash = await passwordHasher.hash(password)
    const changed = await changeAccount(users, user._id, (latest) => ({
      passwordHash,
      invitation: null,
      passwordReset: null,
      invitedAt: null,
      action: actions[kind],
      endsSessions: true,
      mail: mailAbout(requireOpen(latest, token)),
    }))
    await sessions.revokeAll(user._id)
    return changed
  }
}
