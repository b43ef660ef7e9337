import type { UserCopy } from '@confetti/contracts'
import { addToOutbox, auditMessage, newMessage, newOutbox, type Message } from '@confetti/messaging'
import { findPage, isDuplicateKey, listChanges, nextRevision, type Clock } from '@confetti/service-kit'
import { Types, type QueryFilter, type UpdateQuery } from 'mongoose'
import {
  describeAccountChange,
  describeNewAccount,
  optionalFields,
  toAccount,
  toUser,
  type UserDocument,
  type UserModel,
} from './user-model.ts'
import {
  toUserSummary,
  userHolders,
  type Account,
  type AccountChange,
  type UserStore,
} from '../accounts/user.ts'

const MAX_OTHER_ADMINS = 100
const ERASED_BATCH_SIZE = 100

const userFields = { email: 1, role: 1 } as const
const accountFields = { outbox: 0 } as const

const notErased: QueryFilter<UserDocument> = { erased: { $ne: true } }
const isAllowedIn: QueryFilter<UserDocument> = { ...notErased, active: { $ne: false } }

/** Matches an account only in the state in which it was read. */
const unchanged = ({ user, revision }: Account): QueryFilter<UserDocument> => ({
  ...notErased,
  _id: new Types.ObjectId(user._id),
  // An account that has never changed has no revision.
  revision: revision === 0 ? { $exists: false } : revision,
})

const escapeRegExp = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

const messageAbout = (account: Account, change: AccountChange, revision: number): Message | undefined => {
  if (change.mail) return newMessage('user.mail-requested.v1', change.mail)
  const { role, isActive, language } = change
  if (role === undefined && isActive === undefined && language === undefined) return undefined
  return newMessage('user.changed.v1', {
    ...toUserSummary({ ...account, ...(language && { language }) }),
    ...(role && { role }),
    active: isActive ?? account.isActive,
    revision,
  })
}

const toUpdate = (account: Account, change: AccountChange, now: Date): UpdateQuery<UserDocument> => {
  const revision = nextRevision(account.revision, now)
  const { role, isActive, endsSessions, mail: _mail, action: _action, ...fields } = change
  const message = messageAbout(account, change, revision)
  const messages = [
    ...(message ? [message] : []),
    ...describeAccountChange(account, change).map(auditMessage),
  ]
  const revokesAccess = endsSessions === true || role !== undefined || isActive !== undefined
  const entries = Object.entries(fields)
  const removed = entries.filter(([, value]) => value === null).map(([name]) => [name, 1] as const)
  const set = {
    ...Object.fromEntries(entries.filter(([, value]) => value !== null)),
    ...(role && { role }),
    ...(isActive !== undefined && { active: isActive }),
    revision,
    ...(revokesAccess && { accessRevision: revision, accessRevokedAt: now }),
    ...(endsSessions && { sessionsRevision: revision }),
    ...(message?.type === 'user.changed.v1' && { changedAt: now, copyRevision: revision }),
  }
  return {
    ...(messages.length > 0 ? addToOutbox<UserDocument>(set, ...messages) : { $set: set }),
    ...(removed.length > 0 && { $unset: Object.fromEntries(removed) }),
  }
}

const isAudit = (message: Message): message is Message<'audit.recorded.v1'> =>
  message.type === 'audit.recorded.v1'

const withoutPersonalData = (
  { data: { details: _, ...data }, ...message }: Message<'audit.recorded.v1'>,
  erasedId: string,
): Message => ({
  ...message,
  data: data.actor._id === erasedId ? { ...data, actor: { _id: erasedId, email: '' }, address: '' } : data,
})

/** `wakeRelay` is called when a message has been added to the outbox. */
export const createUserStore = (
  model: UserModel,
  { wakeRelay, clock }: { wakeRelay: () => void; clock: Clock },
): UserStore => ({
  add: async (account) => {
    const _id = new Types.ObjectId()
    const user = toUser({ _id, ...account })
    const registered = newMessage('user.registered.v1', toUserSummary({ ...account, user }))
    const createdAt = new Date(registered.time)
    const document = {
      _id,
      ...account,
      createdAt,
      changedAt: clock(),
      copyRevision: 0,
      ...newOutbox(registered, auditMessage(describeNewAccount(user))),
    }
    try {
      await model.create(document)
    } catch (error) {
      if (isDuplicateKey(error)) return undefined
      throw error
    }
    wakeRelay()
    return toAccount(document)
  },

  find: async (userId) => {
    const document = await model.findOne({ _id: userId, ...notErased }, accountFields).lean()
    return document ? toAccount(document) : undefined
  },

  findByEmail: async (email) => {
    const document = await model.findOne({ email, ...notErased }, accountFields).lean()
    return document ? toAccount(document) : undefined
  },

  change: async (account, change) => {
    const update = toUpdate(account, change, clock())
    const document = await model
      .findOneAndUpdate(unchanged(account), update, { returnDocument: 'after' })
      .lean()
    if (document?.outboxPending) wakeRelay()
    return document ? toAccount(document) : undefined
  },

  erase: async (account) => {
    const { _id } = account.user
    const now = clock()
    const revision = nextRevision(account.revision, now)
    const document = await model.findOne(unchanged(account), { outbox: 1 }).lean()
    if (!document) return undefined
    const { matchedCount } = await model.updateOne(unchanged(account), {
      $set: {
        erased: true,
        erasedEmail: account.user.email,
        erasureRequestedAt: now,
        // The index on addresses is unique, and this is not an address.
        email: `erased ${_id}`,
        role: 'user',
        active: false,
        revision,
        accessRevision: revision,
        accessRevokedAt: now,
        sessionsRevision: revision,
        // Earlier messages have the address, and consumers need none of them any more but those of the audit log.
        outbox: [
          ...document.outbox.filter(isAudit).map((message) => withoutPersonalData(message, _id)),
          newMessage('user.deleted.v1', { _id, email: account.user.email, erasedAt: now.toISOString() }),
          auditMessage({ action: 'user.erased', subject: { type: 'user', id: _id } }),
        ],
        outboxPending: true,
      },
      $unset: Object.fromEntries(optionalFields.map((field) => [field, 1])),
      $inc: { outboxVersion: 1 },
    })
    if (matchedCount === 0) return undefined
    wakeRelay()
    return true
  },

  recordSignIn: async (userId, lastSignInAt) => {
    await model.updateOne({ _id: userId, ...notErased }, { $set: { lastSignInAt } })
  },

  listChanges: async (since) => {
    const { documents, ...position } = await listChanges(model, notErased, since, clock())
    const toCopy = (document: UserDocument): UserCopy => {
      const account = toAccount(document)
      return {
        ...toUserSummary(account),
        active: account.isActive,
        revision: document.copyRevision ?? account.revision,
      }
    }
    return { users: documents.map(toCopy), ...position }
  },

  listOrganisers: async () => {
    const documents = await model
      .find({ role: 'user', ...isAllowedIn }, userFields)
      .sort({ email: 1 })
      .lean()
    return documents.map(toUser)
  },

  list: async (page, search) => {
    const { documents, next } = await findPage<UserDocument>(
      model,
      {
        filter: { ...notErased, ...(search && { email: { $regex: escapeRegExp(search) } }) },
        time: 'createdAt',
        projection: accountFields,
      },
      page,
    )
    return { accounts: documents.map(toAccount), ...(next && { next }) }
  },

  listOtherAdmins: async (userId) => {
    const documents = await model
      .find(
        {
          role: 'admin',
          ...isAllowedIn,
          passwordHash: { $exists: true },
          _id: { $ne: new Types.ObjectId(userId) },
        },
        accountFields,
      )
      .limit(MAX_OTHER_ADMINS)
      .lean()
    return documents.map(toAccount)
  },

  listRevokedSince: async (time, limit) => {
    const documents = await model
      .find({ accessRevokedAt: { $gte: time } }, { accessRevision: 1, accessRevokedAt: 1 })
      .sort({ accessRevokedAt: -1 })
      .limit(limit)
      .lean()
    return documents.map(({ _id, accessRevision = 0, accessRevokedAt = time }) => ({
      userId: _id.toHexString(),
      revision: accessRevision,
      revokedAt: accessRevokedAt,
    }))
  },

  confirmErasure: async (userId, service) => {
    await model.updateOne({ _id: userId, erased: true }, { $addToSet: { erasedBy: service } })
    await model.updateOne(
      { _id: userId, erasedBy: { $all: userHolders } },
      { $unset: { erasedEmail: 1, erasureRequestedAt: 1 } },
    )
  },

  listUnerased: async (before) => {
    const documents = await model
      .find({ erasureRequestedAt: { $lt: before }, outboxPending: false }, { _id: 1 })
      .limit(ERASED_BATCH_SIZE)
      .lean()
    return documents.map(({ _id }) => _id.toHexString())
  },

  repeatErasure: async (userId, before, now) => {
    const overdue = { _id: userId, erasureRequestedAt: { $lt: before }, outboxPending: false }
    const document = await model.findOne(overdue, { erasedEmail: 1, accessRevokedAt: 1 }).lean()
    if (!document) return
    const { erasedEmail: email = '', accessRevokedAt: erasedAt } = document
    const deleted = newMessage('user.deleted.v1', {
      _id: userId,
      email,
      ...(erasedAt && { erasedAt: erasedAt.toISOString() }),
    })
    await model.updateOne(overdue, addToOutbox({ erasureRequestedAt: now }, deleted))
    wakeRelay()
  },

  findOldestErasure: async (service) => {
    const document = await model
      .findOne({ erasureRequestedAt: { $ne: null }, erasedBy: { $ne: service } }, { accessRevokedAt: 1 })
      .sort({ accessRevokedAt: 1 })
      .lean()
    return document?.accessRevokedAt
  },

  listErased: async (time) => {
    const documents = await model
      .find(
        { erased: true, outboxPending: false, erasureRequestedAt: null, accessRevokedAt: { $lte: time } },
        { _id: 1 },
      )
      .limit(ERASED_BATCH_SIZE)
      .lean()
    return documents.map(({ _id }) => _id.toHexString())
  },

  remove: async (userId) => {
    await model.deleteOne({ _id: userId, erased: true })
  },
})
