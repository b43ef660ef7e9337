import type { LeasedMail } from './mail.ts'

/** The result of an attempt to hand a mail over to the mail server. */
export type HandoverResult =
  | { outcome: 'sent' }
  /** It was not accepted, and may be later. */
  | { outcome: 'deferred'; reason: string }
  /** The mail server could not be reached, or closed: that says nothing of the mail. */
  | { outcome: 'unavailable'; reason: string }
  /** It was not accepted, and will not be. */
  | { outcome: 'rejected'; reason: string }
  /** The connection ended after the mail was sent and before the server's answer: it may have been accepted. */
  | { outcome: 'unconfirmed'; reason: string }
  /** `mayStart` returned false, and nothing was sent. */
  | { outcome: 'cancelled' }

/**
 * Hands a mail over to the mail server. `mayStart` is called right before its content is sent, after the server has
 * accepted sender and recipient. Never rejects.
 */
export type HandOver = (mail: LeasedMail, mayStart: () => Promise<boolean>) => Promise<HandoverResult>
