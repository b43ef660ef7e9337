import type { ErrorCode } from '@confetti/contracts'
import { unauthenticated, type Clock, type Logger } from '@confetti/service-kit'
import type { IssueAccessToken } from './access-tokens.ts'
import {
  deriveNextToken,
  hashRefreshToken,
  newSalt,
  parseSessionId,
  reissueNextToken,
} from './refresh-token.ts'
import type { Session, SessionStore } from './session.ts'
import type { UserStore } from './user.ts'

interface Deps {
  sessions: Pick<SessionStore, 'find' | 'rotate' | 'revoke'>
  users: Pick<UserStore, 'find'>
  issueAccessToken: IssueAccessToken
  sessionTtlMs: number
  gracePeriodMs: number
  clock: Clock
  logger: Logger
}

const sessionExpired = (code: ErrorCode) => unauthenticated('Your session has expired.', { code })

/**
 * Exchanges a refresh token for the next one (refresh token rotation) and an access token with the account's current
 * role and address. The previous token gets the same next token again during the grace period. The reuse of any other
 * old token means that it has leaked, and revokes the session. Throws `unauthenticated`.
 */
export const makeRefresh = ({
  sessions,
  users,
  issueAccessToken,
  sessionTtlMs,
  gracePeriodMs,
  clock,
  logger,
}: Deps) => {
  const rotate = async (session: Session, token: string): Promise<string | undefined> => {
    const now = clock()
    const nextToken = deriveNextToken(token, session.salt)
    const rotated = await sessions.rotate(session, {
      currentHash: hashRefreshToken(nextToken),
      salt: newSalt(),
      rotatedAt: now,
      expiresAt: new Date(now.getTime() + sessionTtlMs),
    })
    if (rotated) return nextToken
    // A concurrent request, perhaps from another tab, has rotated the token: both get the same next token.
    const latest = await sessions.find(session._id)
    return latest && reissueNextToken(token, latest, { now: clock(), gracePeriodMs })
  }

  return async (token: string) => {
    const sessionId = parseSessionId(token)
    if (!sessionId) throw sessionExpired('refresh_token_malformed')
    const session = await sessions.find(sessionId)
    if (!session) throw sessionExpired('session_unknown')
    if (session.expiresAt <= clock()) throw sessionExpired('session_expired')
    const account = await users.find(session.userId)
    if (!account?.isActive || (session.accountRevision ?? 0) < account.sessionsRevision)
      throw sessionExpired('session_unknown')

    const isCurrent = session.currentHash === hashRefreshToken(token)
    const nextToken = isCurrent
      ? await rotate(session, token)
      : reissueNextToken(token, session, { now: clock(), gracePeriodMs })
    if (!nextToken) {
      await sessions.revoke(sessionId)
      logger.warn({ userId: account.user._id }, 'refresh token reuse detected, session revoked')
      throw sessionExpired('refresh_token_reused')
    }
    return { accessToken: issueAccessToken(account), refreshToken: nextToken }
  }
}
export type Refresh = ReturnType<typeof makeRefresh>
