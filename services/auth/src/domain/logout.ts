import { parseSessionId } from './refresh-token.ts'
import type { SessionStore } from './session.ts'

interface Deps {
  sessions: Pick<SessionStore, 'revoke'>
}

/** Revokes the session of a refresh token. Does nothing if the token is malformed or its session unknown. */
export const makeLogout =
  ({ sessions }: Deps) =>
  async (token: string): Promise<void> => {
    const sessionId = parseSessionId(token)
    if (sessionId) await sessions.revoke(sessionId)
  }
export type Logout = ReturnType<typeof makeLogout>
