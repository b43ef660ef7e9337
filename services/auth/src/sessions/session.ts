import { createHash, createHmac, randomBytes } from 'node:crypto'

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

/** A session: a family of refresh tokens that starts at a sign-in. Only its latest token is valid. */
export interface Session {
  _id: string
  userId: string
  /** The revision of the account when the session started. */
  accountRevision: number
  /** The hash of the current token. */
  currentHash: string
  /** The token after the current one is derived with this salt. */
  salt: string
  /** The hash of the token before the current one, and the salt that the current one was derived with. */
  previousHash?: string
  previousSalt?: string
  rotatedAt?: Date
  expiresAt: Date
}

type Rotation = Pick<Session, 'currentHash' | 'salt' | 'expiresAt'> & { rotatedAt: Date }

export interface SessionStore {
  /** Stores a session. Of its account, at most the `limit` stay that have been refreshed last. */
  add: (session: Session, limit: number) => Promise<void>
  find: (sessionId: string) => Promise<Session | undefined>
  /** Replaces the session's current token; false if another request has rotated it since the session was read. */
  rotate: (session: Session, rotation: Rotation) => Promise<boolean>
  /** Makes all tokens of the session invalid. Does nothing if the session does not exist. */
  revoke: (sessionId: string) => Promise<void>
  /** Revokes all sessions of an account. */
  revokeAll: (userId: string) => Promise<void>
  /** Removes the sessions that expired at or before `time`; returns their number. */
  removeExpired: (time: Date) => Promise<number>
}
