import type { Contact } from '@confetti/contracts'
import {
  addToOutbox,
  auditMessage,
  newMessage,
  newOutbox,
  outboxPlugin,
  type OutboxFields,
} from '@confetti/messaging'
import { findPage, upsertWithRetry } from '@confetti/service-kit'
import { Schema, Types, type Connection } from 'mongoose'
import type { ContactStore, MessageQuotaStore, UnsavedContact, UnsavedReply } from '../contacts/contacts.ts'

interface ContactDocument extends OutboxFields, UnsavedContact {
  _id: Types.ObjectId
  /** Absent until there is one. */
  replies?: (UnsavedReply & { _id: Types.ObjectId })[]
  /** Its content is gone; the rest stays until the audit log has been told. Absent: it is not deleted. */
  deletedAt?: Date
}

export const createContactModel = (connection: Connection) => {
  const schema = new Schema<ContactDocument>({
    subject: { type: String, required: true },
    message: { type: String, required: true },
    createdAt: { type: Date, required: true },
    userId: { type: String, required: true },
    userEmail: { type: String, required: true },
    replies: {
      type: [
        new Schema({
          message: { type: String, required: true },
          createdAt: { type: Date, required: true },
          adminId: { type: String, required: true },
          adminEmail: String,
        }),
      ],
      default: undefined,
    },
    deletedAt: Date,
  })
  schema.index({ deletedAt: 1, createdAt: -1, _id: -1 })
  schema.index({ createdAt: 1 })
  schema.index({ userId: 1 })
  schema.index({ 'replies.adminId': 1 })
  outboxPlugin(schema)
  return connection.model<ContactDocument>('Contact', schema)
}
type ContactModel = ReturnType<typeof createContactModel>

/** Messages that are not deleted. */
const existing = { deletedAt: null } as const

const fields = { subject: 1, message: 1, createdAt: 1, userEmail: 1, replies: 1 } as const

const toContact = ({
  _id,
  subject,
  message,
  createdAt,
  userEmail,
  replies,
}: Pick<ContactDocument, '_id' | keyof typeof fields>): Contact => ({
  _id: _id.toHexString(),
  subject,
  message,
  createdAt: createdAt.toISOString(),
  userEmail,
  ...(replies && {
    replies: replies.map((reply) => ({
      _id: reply._id.toHexString(),
      message: reply.message,
      createdAt: reply.createdAt.toISOString(),
      adminEmail: reply.adminEmail,
    })),
  }),
})

/** `wakeRelay` is called when a message has been added to the outbox. */
export const createContactStore = (model: ContactModel, wakeRelay: () => void): ContactStore => {
  /** Repeated where a reply has been added since the message was read. */
  const removeAdmin = async (contactId: Types.ObjectId, adminId: string): Promise<void> => {
    for (;;) {
      const document = await model.findById(contactId, { replies: 1, outboxVersion: 1 }).lean()
      if (!document) return
      const { replies = [], outboxVersion } = document
      const { matchedCount } = await model.updateOne(
        { _id: contactId, outboxVersion },
        {
          $set: {
            replies: replies.map((reply) =>
              reply.adminId === adminId ? { ...reply, adminId: '', adminEmail: '' } : reply,
            ),
          },
          // It stands for the version of the whole record: the erasure of another admin must not write back what it has read.
          $inc: { outboxVersion: 1 },
        },
      )
      if (matchedCount === 1) return
    }
  }

  return {
    add: async (unsaved, { isMailed }) => {
      const _id = new Types.ObjectId()
      const contact = toContact({ _id, ...unsaved })
      const received = newMessage('contact.received.v1', { ...contact, userId: unsaved.userId })
      await model.create({ _id, ...unsaved, ...newOutbox(...(isMailed ? [received] : [])) })
      wakeRelay()
      return contact
    },

    list: async (request) => {
      const { documents, next } = await findPage<ContactDocument>(
        model,
        { filter: existing, time: 'createdAt', projection: fields },
        request,
      )
      return { contacts: documents.map(toContact), ...(next && { next }) }
    },

    find: async (contactId) => {
      const document = await model.findOne({ _id: contactId, ...existing }, fields).lean<ContactDocument>()
      return document ? toContact(document) : undefined
    },

    addReply: async ({ _id: contactId, subject, userEmail }, unsaved, limit) => {
      const reply = { _id: new Types.ObjectId(), ...unsaved }
      const sender = await model.findOne({ _id: contactId, ...existing }, { userId: 1 }).lean()
      if (!sender) return 'not-found'
      const message = newMessage('contact.replied.v1', {
        _id: reply._id.toHexString(),
        contactId,
        subject,
        userId: sender.userId,
        userEmail,
        message: reply.message,
        createdAt: reply.createdAt.toISOString(),
      })
      const audit = auditMessage({ action: 'contact.replied', subject: { type: 'contact', id: contactId } })
      const update = addToOutbox<ContactDocument>({}, message, audit)
      const document = await model
        .findOneAndUpdate(
          { _id: contactId, ...existing, [`replies.${limit - 1}`]: { $exists: false } },
          { ...update, $push: { ...update.$push, replies: reply } },
          { returnDocument: 'after' },
        )
        .lean<ContactDocument>()
      if (!document) return (await model.exists({ _id: contactId, ...existing })) ? 'full' : 'not-found'
      wakeRelay()
      return toContact(document)
    },

    markDeleted: async (contactId, at) => {
      const audit = auditMessage({ action: 'contact.deleted', subject: { type: 'contact', id: contactId } })
      const { matchedCount } = await model.updateOne(
        { _id: contactId, ...existing },
        {
          // Empty, not absent: a replica of an earlier version lists what is deleted.
          ...addToOutbox<ContactDocument>({ deletedAt: at, subject: '', message: '', userEmail: '' }, audit),
          $unset: { replies: '' },
        },
      )
      wakeRelay()
      return matchedCount === 1
    },

    removeOld: async (before) => {
      const published = { outboxPending: false }
      const deleted = await model.deleteMany({ deletedAt: { $ne: null }, ...published })
      const old = await model.deleteMany({ createdAt: { $lt: before }, ...published })
      return deleted.deletedCount + old.deletedCount
    },

    erase: async (userId) => {
      await model.deleteMany({ userId })
      const answered = await model.find({ 'replies.adminId': userId }, { _id: 1 }).lean()
      for (const { _id } of answered) await removeAdmin(_id, userId)
    },
  }
}

/** One document for each user who has sent a message, and one for all of them. */
interface MessageQuotaDocument {
  /** The user's id, or `all`. */
  _id: string
  sent: number
  endsAt: Date
}

const createMessageQuotaModel = (connection: Connection) => {
  const schema = new Schema<MessageQuotaDocument>({
    _id: { type: String, required: true },
    sent: { type: Number, required: true },
    endsAt: { type: Date, required: true },
  })
  return connection.model<MessageQuotaDocument>('MessageQuota', schema)
}

const HOUR_MS = 3_600_000

export const createMessageQuotaStore = (connection: Connection): MessageQuotaStore => {
  const model = createMessageQuotaModel(connection)
  const increment = (sender: string, now: Date) =>
    model
      .findOneAndUpdate(
        { _id: sender, endsAt: { $gt: now } },
        { $inc: { sent: 1 } },
        { returnDocument: 'after' },
      )
      .lean()

  const start = (sender: string, now: Date) =>
    model
      .findOneAndUpdate(
        { _id: sender, endsAt: { $lte: now } },
        { $set: { sent: 1, endsAt: new Date(now.getTime() + HOUR_MS) } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean()

  return {
    // A concurrent request may start the count first: then the upsert fails, and the repetition increments.
    count: (sender, now) =>
      upsertWithRetry(async () => (await increment(sender, now)) ?? (await start(sender, now))),

    remove: async (userId) => {
      await model.deleteOne({ _id: userId })
    },
  }
}
