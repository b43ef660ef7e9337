import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Account, AccountLink, RequestedMail } from '../accounts/user.ts'

const TOKEN_PATTERN = /^([0-9a-f]{24})\.[\w-]{43}$/

/** A new token of a link to an account, `userId.secret`. */
const newLinkToken = (userId: string): string => `${userId}.${randomBytes(32).toString('base64url')}`

/** The id of the account that a token claims to belong to; undefined if the token is malformed. */
export const parseUserId = (token: string): string | undefined => TOKEN_PATTERN.exec(token)?.[1]

/** The hash under which a token is stored. A fast one is safe, because a token has 256 random bits. */
const hashLinkToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Whether a token belongs to this link and the link has not expired. */
export const opensLink = (link: AccountLink | undefined, token: string, now: Date): boolean =>
  link?.hash === hashLinkToken(token) && link.expiresAt > now

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
export const createAccountLinks = ({ MAIL, SHELL_URL: shellUrl }: Config) => {
  const sendsMail = MAIL === 'on'
  return {
    /** Whether the system sends mail. */
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
  }
}
export type AccountLinks = ReturnType<typeof createAccountLinks>
