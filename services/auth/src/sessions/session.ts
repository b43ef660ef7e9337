/** A session: a family of refresh tokens that starts at a sign-in. Only its latest token is valid. */
export interface Session {
  _id: string
  userId: string
  /** The revision of the account when the session started. Absent in sessions of version 0.1: 0. */
  accountRevision?: number
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
  add: (session: Session) => Promise<void>
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
