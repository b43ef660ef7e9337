import type { Audience, Credentials } from './event.ts'

/** Why a stream has ended. */
export const closeReasons = ['client', 'slow', 'unauthorized', 'unavailable', 'drained'] as const
export type CloseReason = (typeof closeReasons)[number]

/** The open response of one client that follows an event. */
export interface Stream {
  eventId: string
  audience: Audience
  credentials: Credentials
  /** The Authorization header, to check the token again. */
  authorization: string | undefined
  /** Sends bytes. A client that does not read fast enough is dropped, and resumes by Last-Event-ID. */
  write: (bytes: Buffer) => void
  /** Ends the response after what has been written. */
  end: (reason: CloseReason) => void
}
