import type { Deps } from '../deps.ts'

/** Adds a mail to be sent, unless there is one for the same cause, or an account or the event that it is about was deleted. */
export const createEnqueueMail = (
  { mails, erasedIds, isMailOn }: Pick<Deps, 'mails' | 'erasedIds' | 'isMailOn'>,
  wakeDelivery: () => void,
) => {
  const isErased = async ({ userId, aboutUserId, eventId }: NewMail): Promise<boolean> => {
    for (const id of [userId, aboutUserId, eventId])
      if (id !== undefined && (await erasedIds.has(id))) return true
    return false
  }

  return async (mail: NewMail): Promise<void> => {
    if (!isMailOn || (await isErased(mail)) || !(await mails.add(mail))) return
    // Again: an erasure that begins after this check finds the mail.
    if (await isErased(mail)) await mails.remove(mail.cause)
    else wakeDelivery()
  }
}
export type EnqueueMail = ReturnType<typeof createEnqueueMail>

export const mailKinds = [
  'invitation',
  'password-reset',
  'password-changed',
  'new-uploads',
  'contact-message',
  'contact-reply',
  'deletion-notice',
  'organiser-invitation',
] as const
export type MailKind = (typeof mailKinds)[number]

/** Mails with a link that gives access to an account or an event. */
export const secretMailKinds: readonly MailKind[] = ['invitation', 'password-reset', 'organiser-invitation']

export interface MailContent {
  subject: string
  text: string
  html: string
  /** Ends the subscription that the mail is part of when it is requested by POST. */
  unsubscribeUrl?: string
}

interface NewMail {
  /** What the mail is sent for. There is one mail for each cause, however often it is added. */
  cause: string
  kind: MailKind
  /** The recipient's address. */
  to: string
  content: MailContent
  /** The account and the event that the mail is about, with which it is erased. */
  userId: string
  eventId?: string
  /** The address of another person who is named in the mail. */
  about?: string
  /** The account of that person. */
  aboutUserId?: string
  /** Of a digest: when the first of the digests became due whose uploads it counts. */
  countsFrom?: Date
  /** When the mail has become useless, such as a link that has expired. */
  expiresAt?: Date
}

/** A mail that this process may send until the lease ends. */
export interface LeasedMail extends NewMail {
  leaseId: string
  attempts: number
  createdAt: Date
}

interface WaitingDigest {
  cause: string
  countsFrom: Date
}

export interface MailStore {
  /** Adds a mail to send; returns false if there is one for the same cause. */
  add: (mail: NewMail) => Promise<boolean>
  /** Leases a mail that is due for `leaseMs`, under this id, and counts the attempt. */
  lease: (leaseId: string, leaseMs: number) => Promise<LeasedMail | undefined>
  /** Makes the mail due that was leased with this id, if there is one and its handover has not begun. */
  release: (leaseId: string) => Promise<void>
  /**
   * Records that the mail is about to be handed over. Returns false if the lease has been lost or the mail was erased:
   * then it must not be sent.
   */
  startHandover: (mail: LeasedMail) => Promise<boolean>
  /** Removes the content. */
  markSent: (mail: LeasedMail) => Promise<void>
  /** Makes the mail due at `at`, with the attempts that `mail` has. */
  retryAt: (mail: LeasedMail, at: Date, reason: string) => Promise<void>
  /** Gives the mail up. The content of one with a secret link is removed. */
  markDead: (mail: LeasedMail, reason: string) => Promise<void>
  /** It is not known whether the mail server has accepted the mail. It is not sent again. */
  markUnconfirmed: (mail: LeasedMail, reason: string) => Promise<void>
  /** Marks mails as unconfirmed whose sender died during the handover, before `before`; returns their kinds. */
  markAbandoned: (before: Date) => Promise<MailKind[]>
  remove: (cause: string) => Promise<void>
  /**
   * Removes the mails to, and about, an account; also those to and about any of these addresses, if they were enqueued until
   * then.
   */
  removeOfUser: (userId: string, addresses: readonly string[], until?: Date) => Promise<void>
  removeOfEvent: (eventId: string) => Promise<void>
  /** The digests for an organiser that have not been sent, nor begun to be. */
  listWaitingDigests: (eventId: string, userId: string) => Promise<WaitingDigest[]>
  /** Removes a mail that has not been sent, nor begun to be. */
  removeWaiting: (cause: string) => Promise<void>
  /** Removes the digests for an organiser that have not been sent. */
  removeWaitingDigests: (eventId: string, userId: string) => Promise<void>
  /**
   * Removes at most `limit` mails that have not changed since `before`, and those that wait only if `evenWaiting`; returns how
   * many.
   */
  removeOlderThan: (before: Date, limit: number, options: { evenWaiting: boolean }) => Promise<number>
  /** How many mails wait, counted up to a limit, and since when the oldest of them does. */
  measure: () => Promise<{ waiting: number; oldest?: Date }>
}

/** The result of an attempt to hand a mail over to the mail server. */
export type HandoverResult =
  | { outcome: 'sent' }
  /** It was not accepted, and may be later; or the server said nothing after the sign-in, which may be about the mail. */
  | { outcome: 'deferred'; reason: string }
  /** The mail server could not be reached, or refused the sign-in or the sender: that says nothing of the mail. */
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
