import { unauthenticated, type Logger } from '@confetti/service-kit'
import type { Session, SessionStore } from '../storage/session-store.ts'
import type { UserStore } from '../storage/user-store.ts'
import type { IssueAccessToken } from './access-tokens.ts'
import { hashRefreshToken, newSalt, sessionIdOf, successorAgain, successorOf } from './refresh-token.ts'

interface Deps {
  sessions: SessionStore
  users: UserStore
  issueAccessToken: IssueAccessToken
  lifeMs: number
  graceMs: number
  clock: { now: () => Date }
  logger: Logger
}

const over = (code: string) => unauthenticated('Your session has expired.', { code })

/**
 * Trades a refresh token for the next one and an access token that says what the account is now. The token before
 * it gets the same answer again for `graceMs`; an older one has leaked, so it ends the session. Throws
 * `unauthenticated`.
 */
export const makeRefresh = ({ sessions, users, issueAccessToken, lifeMs, graceMs, clock, logger }: Deps) => {
  const rotate = async (session: Session, token: string): Promise<string | undefined> => {
    const now = clock.now()
    const successor = successorOf(token, session.salt)
    const rotated = await sessions.rotate(session, {
      currentHash: hashRefreshToken(successor),
      salt: newSalt(),
      rotatedAt: now,
      expiresAt: new Date(now.getTime() + lifeMs),
    })
    if (rotated) return successor
    // Another tab was faster: both get what it got.
    const latest = await sessions.find(session._id)
    return latest && successorAgain(token, latest, { now: clock.now(), graceMs })
  }

  return async (token: string) => {
    const sessionId = sessionIdOf(token)
    if (!sessionId) throw over('refresh_token_malformed')
    const session = await sessions.find(sessionId)
    if (!session) throw over('session_unknown')
    if (session.expiresAt <= clock.now()) throw over('session_expired')
    const user = await users.find(session.userId)
    if (!user) throw over('session_unknown')

    const isCurrent = session.currentHash === hashRefreshToken(token)
    const successor = isCurrent
      ? await rotate(session, token)
      : successorAgain(token, session, { now: clock.now(), graceMs })
    if (!successor) {
      await sessions.end(sessionId)
      logger.warn({ userId: user._id }, 'a used refresh token came again; its session is ended')
      throw over('refresh_token_reused')
    }
    return { accessToken: issueAccessToken(user), refreshToken: successor }
  }
}
export type Refresh = ReturnType<typeof makeRefresh>
