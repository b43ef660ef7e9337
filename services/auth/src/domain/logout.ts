import type { SessionStore } from '../storage/session-store.ts'
import { sessionIdOf } from './refresh-token.ts'

/** Ends the session that a refresh token belongs to. An unknown one is as good as ended. */
export const makeLogout =
  ({ sessions }: { sessions: SessionStore }) =>
  async (token: string): Promise<void> => {
    const sessionId = sessionIdOf(token)
    if (sessionId) await sessions.end(sessionId)
  }
export type Logout = ReturnType<typeof makeLogout>
