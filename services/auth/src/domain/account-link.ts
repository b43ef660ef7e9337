import { createHash, randomBytes } from 'node:crypto'
import type { AccountLink } from './user.ts'

const TOKEN_PATTERN = /^([0-9a-f]{24})\.[\w-]{43}$/

/** A new token of a link to an account, `userId.secret`. */
export const newLinkToken = (userId: string): string => `${userId}.${randomBytes(32).toString('base64url')}`

/** The id of the account that a token claims to belong to; undefined if the token is malformed. */
export const parseUserId = (token: string): string | undefined => TOKEN_PATTERN.exec(token)?.[1]

/** The hash under which a token is stored. A fast one is safe, because a token has 256 random bits. */
export const hashLinkToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Whether a token belongs to this link and the link has not expired. */
export const opensLink = (link: AccountLink | undefined, token: string, now: Date): boolean =>
  link?.hash === hashLinkToken(token) && link.expiresAt > now
