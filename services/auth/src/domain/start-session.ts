import type { User } from '@confetti/contracts'
import type { Clock } from '@confetti/service-kit'
import type { IssueAccessToken } from './access-tokens.ts'
import { hashRefreshToken, newRefreshToken, newSalt } from './refresh-token.ts'
import type { SessionStore } from './session.ts'

interface Deps {
  sessions: Pick<SessionStore, 'add'>
  issueAccessToken: IssueAccessToken
  sessionTtlMs: number
  clock: Clock
}

/** Starts a session for a user whose credentials have been verified. Returns its first tokens. */
export const makeStartSession =
  ({ sessions, issueAccessToken, sessionTtlMs, clock }: Deps) =>
  async (user: User) => {
    const { sessionId, token } = newRefreshToken()
    await sessions.add({
      _id: sessionId,
      userId: user._id,
      currentHash: hashRefreshToken(token),
      salt: newSalt(),
      expiresAt: new Date(clock().getTime() + sessionTtlMs),
    })
    return { accessToken: issueAccessToken(user), refreshToken: token, user }
  }
export type StartSession = ReturnType<typeof makeStartSession>
