import type { Account, AccountLink, RequestedMail } from './user.ts'
import { hashLinkToken, newLinkToken } from './account-link.ts'

interface Deps {
  /** Whether the system sends mail. */
  sendsMail: boolean
  shellUrl: string
}

/** A link as it is stored, and the address that goes to the owner of the account. */
interface NewLink {
  link: AccountLink
  url: string
}

const pages = { invitation: 'accept-invitation', 'password-reset': 'reset-password' } as const

const recipient = ({ user, language }: Account): Pick<RequestedMail, 'userId' | 'email' | 'language'> => ({
  userId: user._id,
  email: user.email,
  ...(language && { language }),
})

/** Creates the links that are sent to the owners of accounts, and the requests for mails. */
export const createAccountMail = ({ sendsMail, shellUrl }: Deps) => ({
  sendsMail,

  /** A new link. Its token is in the fragment, which browsers send to no server, so that no log contains it. */
  newLink: (kind: keyof typeof pages, userId: string, expiresAt: Date): NewLink => {
    const token = newLinkToken(userId)
    const url = new URL(`/${pages[kind]}`, shellUrl)
    url.hash = new URLSearchParams({ token }).toString()
    return { link: { hash: hashLinkToken(token), expiresAt }, url: url.href }
  },

  /** The mail with a link; undefined if the system sends none. */
  linkMail: (
    kind: keyof typeof pages,
    account: Account,
    { link, url }: NewLink,
  ): RequestedMail | undefined =>
    sendsMail
      ? { kind, ...recipient(account), link: url, expiresAt: link.expiresAt.toISOString() }
      : undefined,

  /** The mail that says that the password has been changed; undefined if the system sends none. */
  passwordChangedMail: (account: Account): RequestedMail | undefined =>
    sendsMail ? { kind: 'password-changed', ...recipient(account) } : undefined,
})
export type AccountMail = ReturnType<typeof createAccountMail>
