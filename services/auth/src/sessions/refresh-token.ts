import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Session } from './session.ts'

const TOKEN_PATTERN = /^([\w-]{22})\.[\w-]{43}$/

const randomString = (bytes: number): string => randomBytes(bytes).toString('base64url')

/**
 * The first token of a new session, `sessionId.secret`. The session's id is as hard to guess as the secret, because
 * any old token of a session revokes it.
 */
export const newRefreshToken = (): { sessionId: string; token: string } => {
  const sessionId = randomString(16)
  return { sessionId, token: `${sessionId}.${randomString(32)}` }
}

/** The id of the session that a token claims to belong to; undefined if the token is malformed. */
export const parseSessionId = (token: string): string | undefined => TOKEN_PATTERN.exec(token)?.[1]

/** The hash under which a token is stored. A fast one is safe, because a token has 256 random bits. */
export const hashRefreshToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export const newSalt = (): string => randomString(32)

/**
 * The token that follows `token`. It depends on nothing but the token and the salt, and the salt is stored before the
 * token is used: concurrent requests with one token, on any replica, derive the same next token.
 */
export const deriveNextToken = (token: string, salt: string): string =>
  `${parseSessionId(token)}.${createHmac('sha256', salt).update(token).digest('base64url')}`

/**
 * The token that has already been issued in exchange for `token`, for clients that lost the response or sent the token
 * twice. Undefined if `token` is not the session's previous one, or its grace period is over.
 */
export const reissueNextToken = (
  token: string,
  { previousHash, previousSalt, rotatedAt }: Pick<Session, 'previousHash' | 'previousSalt' | 'rotatedAt'>,
  { now, gracePeriodMs }: { now: Date; gracePeriodMs: number },
): string | undefined => {
  if (!previousSalt || !rotatedAt || previousHash !== hashRefreshToken(token)) return undefined
  return now.getTime() - rotatedAt.getTime() < gracePeriodMs
    ? deriveNextToken(token, previousSalt)
    : undefined
}
