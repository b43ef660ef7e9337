import { createHash, createHmac, randomBytes } from 'node:crypto'

const FORM = /^([\w-]{22})\.[\w-]{43}$/

const secret = (bytes: number): string => randomBytes(bytes).toString('base64url')

/**
 * The first token of a new session: `sessionId.secret`. The session's id is as hard to guess as the secret,
 * because any older token of a session ends it.
 */
export const newRefreshToken = (): { sessionId: string; token: string } => {
  const sessionId = secret(16)
  return { sessionId, token: `${sessionId}.${secret(32)}` }
}

/** The session that a token says it belongs to; undefined when it is none of ours. */
export const sessionIdOf = (token: string): string | undefined => FORM.exec(token)?.[1]

/** What is stored in a token's place. Fast on purpose: a token is random, nobody can try them all. */
export const hashRefreshToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export const newSalt = (): string => secret(32)

/**
 * The token that follows `token`. The same salt gives the same successor, and the salt is drawn before the token
 * is used: several calls with one token at the same moment, on any replica, agree without asking each other.
 */
export const successorOf = (token: string, salt: string): string =>
  `${sessionIdOf(token)}.${createHmac('sha256', salt).update(token).digest('base64url')}`

/**
 * The successor that was given for `token` already, for whoever lost the answer or was second: undefined when it
 * is not the session's previous token, or was used `graceMs` ago or longer.
 */
export const successorAgain = (
  token: string,
  session: { previousHash?: string; previousSalt?: string; rotatedAt?: Date },
  { now, graceMs }: { now: Date; graceMs: number },
): string | undefined => {
  const { previousHash, previousSalt, rotatedAt } = session
  if (!previousSalt || !rotatedAt || previousHash !== hashRefreshToken(token)) return undefined
  return now.getTime() - rotatedAt.getTime() < graceMs ? successorOf(token, previousSalt) : undefined
}
