import { Schema, type Connection } from 'mongoose'
import type { MailContent, MailKind } from '../domain/mail.ts'

export interface MailDocument {
  /** The cause of the mail: the same cause cannot have two. */
  _id: string
  kind: MailKind
  to: string
  /** Removed when the mail has been sent. */
  content?: MailContent
  state: 'waiting' | 'sending' | 'sent' | 'dead' | 'unconfirmed'
  attempts: number
  /** When it may be sent, or sent again if the process that has leased it died. */
  dueAt: Date
  /** The lease of the last attempt. */
  leaseId: string
  createdAt: Date
  changedAt: Date
  userId?: string
  eventId?: string
  about?: string
  /** Absent in mails about accounts whose id is not known. */
  aboutUserId?: string
  /** Absent in mails that are not digests. */
  countsFrom?: Date
  expiresAt?: Date
  /** Why the last attempt failed. */
  reason?: string
}

export const createMailModel = (connection: Connection) => {
  const schema = new Schema<MailDocument>({
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    to: { type: String, required: true },
    content: { type: Object },
    state: { type: String, required: true },
    attempts: { type: Number, required: true },
    dueAt: { type: Date, required: true },
    leaseId: { type: String, default: '' },
    createdAt: { type: Date, required: true },
    changedAt: { type: Date, required: true },
    userId: { type: String },
    eventId: { type: String },
    about: { type: String },
    aboutUserId: { type: String },
    countsFrom: { type: Date },
    expiresAt: { type: Date },
    reason: { type: String },
  })
  schema.index({ state: 1, dueAt: 1 })
  schema.index({ createdAt: 1 })
  for (const field of ['userId', 'eventId', 'about', 'aboutUserId', 'to']) schema.index({ [field]: 1 })
  return connection.model<MailDocument>('Mail', schema)
}
export type MailModel = ReturnType<typeof createMailModel>
