import type { User } from '@confetti/contracts'
import type { SessionStore } from '../storage/session-store.ts'
import type { IssueAccessToken } from './access-tokens.ts'
import { hashRefreshToken, newRefreshToken, newSalt } from './refresh-token.ts'

interface Deps {
  sessions: SessionStore
  issueAccessToken: IssueAccessToken
  lifeMs: number
  clock: { now: () => Date }
}

/** Begins a session for somebody who has proved who they are. */
export const makeStartSession =
  ({ sessions, issueAccessToken, lifeMs, clock }: Deps) =>
  async (user: User) => {
    const { sessionId, token } = newRefreshToken()
    await sessions.add({
      _id: sessionId,
      userId: user._id,
      currentHash: hashRefreshToken(token),
      salt: newSalt(),
      expiresAt: new Date(clock.now().getTime() + lifeMs),
    })
    return { accessToken: issueAccessToken(user), refreshToken: token, user }
  }
export type StartSession = ReturnType<typeof makeStartSession>
