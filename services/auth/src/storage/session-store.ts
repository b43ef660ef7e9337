import type { SessionDocument, SessionModel } from './session-model.ts'

export type Session = SessionDocument

/** The sessions: refresh-token families. */
export const createSessionStore = (sessions: SessionModel) => ({
  add: async (session: Session): Promise<void> => {
    await sessions.create(session)
  },

  find: async (sessionId: string): Promise<Session | undefined> =>
    (await sessions.findById(sessionId).lean()) ?? undefined,

  /** Puts the next token in the place of the current one; false when somebody else was faster. */
  rotate: async (
    { _id, currentHash, salt }: Session,
    next: Pick<Session, 'currentHash' | 'salt' | 'expiresAt'> & { rotatedAt: Date },
  ): Promise<boolean> => {
    const { matchedCount } = await sessions.updateOne(
      { _id, currentHash },
      { $set: { ...next, previousHash: currentHash, previousSalt: salt } },
    )
    return matchedCount === 1
  },

  /** None of its tokens works any more. Harmless when it has ended already. */
  end: async (sessionId: string): Promise<void> => {
    await sessions.deleteOne({ _id: sessionId })
  },

  /** Forgets what expired before `time`; returns how many. */
  removeExpired: async (time: Date): Promise<number> => {
    const { deletedCount } = await sessions.deleteMany({ expiresAt: { $lte: time } })
    return deletedCount
  },
})
export type SessionStore = ReturnType<typeof createSessionStore>
