import { isDuplicateKey, pickDefined, type Clock } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import {
  secretMailKinds,
  type LeasedMail,
  type MailContent,
  type MailKind,
  type MailStore,
} from '../mails/mail.ts'

interface MailDocument {
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
  userId: string
  eventId?: string
  about?: string
  aboutUserId?: string
  /** Absent in mails that are not digests. */
  countsFrom?: Date
  expiresAt?: Date
  /** Why the last attempt failed. */
  reason?: string
}

const createMailModel = async (connection: Connection) => {
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
    userId: { type: String, required: true },
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
  const model = connection.model<MailDocument>('Mail', schema)
  await model.createIndexes()
  return model
}

// Bounds the cost of counting.
const MAX_COUNTED = 10_000
const QUERY_TIMEOUT_MS = 2_000
const MAX_ABANDONED = 500
// More than are planned in the time for which mails are kept.
const MAX_WAITING_DIGESTS = 1_000

const toLeasedMail = (document: MailDocument): LeasedMail | undefined => {
  const { _id: cause, content } = document
  if (!content) return undefined
  return {
    cause,
    content,
    ...pickDefined(document, [
      'kind',
      'to',
      'leaseId',
      'attempts',
      'createdAt',
      'userId',
      'eventId',
      'about',
      'aboutUserId',
      'expiresAt',
    ]),
  }
}

/** A link that gives access is not kept: who gets it requests another one. */
const unneededContent = ({ kind }: Pick<LeasedMail, 'kind'>): 'content' | undefined =>
  secretMailKinds.includes(kind) ? 'content' : undefined

/** Creates the store in a database, and its indexes. */
export const createMailStore = async (connection: Connection, clock: Clock): Promise<MailStore> => {
  const model = await createMailModel(connection)
  const update = async (
    mail: LeasedMail,
    set: Partial<MailDocument>,
    remove?: 'content',
  ): Promise<boolean> => {
    const { matchedCount } = await model.updateOne(
      { _id: mail.cause, leaseId: mail.leaseId },
      { $set: { ...set, changedAt: clock() }, ...(remove && { $unset: { [remove]: 1 } }) },
    )
    return matchedCount === 1
  }

  return {
    add: async ({ cause, ...mail }) => {
      const now = clock()
      const times = { dueAt: now, createdAt: now, changedAt: now }
      try {
        await model.create({ ...mail, _id: cause, state: 'waiting', attempts: 0, ...times })
        return true
      } catch (error) {
        if (isDuplicateKey(error)) return false
        throw error
      }
    },

    lease: async (leaseId, leaseMs) => {
      const now = clock()
      const document = await model
        .findOneAndUpdate(
          { state: 'waiting', dueAt: { $lte: now } },
          {
            $set: { leaseId, dueAt: new Date(now.getTime() + leaseMs) },
            $inc: { attempts: 1 },
          },
          { returnDocument: 'after' },
        )
        .lean<MailDocument>()
      return document ? toLeasedMail(document) : undefined
    },
    release: async (leaseId) => {
      await model.updateOne({ state: 'waiting', leaseId }, { $set: { dueAt: clock() } })
    },

    startHandover: async (mail) => {
      const { matchedCount } = await model.updateOne(
        { _id: mail.cause, leaseId: mail.leaseId, state: 'waiting' },
        { $set: { state: 'sending', changedAt: clock() } },
      )
      return matchedCount === 1
    },

    markSent: async (mail) => {
      await update(mail, { state: 'sent' }, 'content')
    },
    retryAt: async (mail, dueAt, reason) => {
      await update(mail, { state: 'waiting', attempts: mail.attempts, dueAt, reason })
    },
    markDead: async (mail, reason) => {
      await update(mail, { state: 'dead', reason }, unneededContent(mail))
    },
    markUnconfirmed: async (mail, reason) => {
      await update(mail, { state: 'unconfirmed', reason }, unneededContent(mail))
    },

    markAbandoned: async (before) => {
      const abandoned = { state: 'sending', changedAt: { $lt: before } } as const
      const mails = await model.find(abandoned, { kind: 1 }).limit(MAX_ABANDONED).lean()
      const marked = await Promise.all(
        mails.map(async ({ _id, kind }) => {
          const { matchedCount } = await model.updateOne(
            { _id, ...abandoned },
            {
              $set: { state: 'unconfirmed', reason: 'abandoned', changedAt: clock() },
              ...(unneededContent({ kind }) && { $unset: { content: 1 } }),
            },
          )
          return matchedCount === 1 ? [kind] : []
        }),
      )
      return marked.flat()
    },

    remove: async (cause) => {
      await model.deleteOne({ _id: cause })
    },
    removeOfUser: async (userId, addresses, until) => {
      await model.deleteMany({ userId })
      await model.deleteMany({ aboutUserId: userId })
      const written = until ? { createdAt: { $lte: until } } : {}
      for (const address of addresses) {
        await model.deleteMany({ to: address, ...written })
        await model.deleteMany({ about: address, ...written })
      }
    },
    removeOfEvent: async (eventId) => {
      await model.deleteMany({ eventId })
    },
    listWaitingDigests: async (eventId, userId) => {
      const mails = await model
        .find({ eventId, userId, kind: 'new-uploads', state: 'waiting' }, { countsFrom: 1 })
        .limit(MAX_WAITING_DIGESTS)
        .lean()
      return mails.flatMap(({ _id, countsFrom }) => (countsFrom ? { cause: _id, countsFrom } : []))
    },
    removeWaiting: async (cause) => {
      await model.deleteOne({ _id: cause, state: 'waiting' })
    },
    removeWaitingDigests: async (eventId, userId) => {
      await model.deleteMany({ eventId, userId, kind: 'new-uploads', state: 'waiting' })
    },
    removeOlderThan: async (before, limit, { evenWaiting }) => {
      // For `createdAt` there is an index.
      const old = { createdAt: { $lt: before }, changedAt: { $lt: before } }
      const mails = await model
        .find(evenWaiting ? old : { ...old, state: { $ne: 'waiting' } }, { _id: 1 })
        .limit(limit)
        .lean()
      const { deletedCount } = await model.deleteMany({ _id: { $in: mails.map(({ _id }) => _id) } })
      return deletedCount
    },

    measure: async () => {
      const isWaiting = { state: 'waiting' } as const
      const waiting = await model.countDocuments(isWaiting, {
        limit: MAX_COUNTED,
        maxTimeMS: QUERY_TIMEOUT_MS,
      })
      const [first] = await model
        .find(isWaiting, { createdAt: 1 })
        .sort({ createdAt: 1 })
        .limit(1)
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean()
      return { waiting, ...(first && { oldest: first.createdAt }) }
    },
  }
}
