import type { Clock } from '@confetti/service-kit'
import type { IssueAccessToken } from './access-tokens.ts'
import { hashRefreshToken, newRefreshToken, newSalt } from './refresh-token.ts'
import type { SessionStore } from './session.ts'
import type { Account } from './user.ts'

interface Deps {
  sessions: Pick<SessionStore, 'add'>
  issueAccessToken: IssueAccessToken
  sessionTtlMs: number
  clock: Clock
}

/**
 * Starts a session for an account whose credentials have been verified. Returns its first tokens. If all sessions of the
 * account have been ended since `account` was read, then this one has ended as well.
 */
export const makeStartSession =
  ({ sessions, issueAccessToken, sessionTtlMs, clock }: Deps) =>
  async (account: Account) => {
    const { sessionId, token } = newRefreshToken()
    await sessions.add({
      _id: sessionId,
      userId: account.user._id,
      accountRevision: account.revision,
      currentHash: hashRefreshToken(token),
      salt: newSalt(),
      expiresAt: new Date(clock().getTime() + sessionTtlMs),
    })
    return { accessToken: issueAccessToken(account), refreshToken: token, user: account.user }
  }
export type StartSession = ReturnType<typeof makeStartSession>
