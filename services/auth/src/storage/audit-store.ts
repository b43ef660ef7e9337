import { findPage, isDuplicateKey } from '@confetti/service-kit'
import { Types, type QueryFilter } from 'mongoose'
import type { AuditEntry, AuditFilter, AuditStore } from '../domain/audit.ts'
import type { AuditDocument, AuditModel } from './audit-model.ts'

const toDocument = ({ _id, actor, subject, ...entry }: AuditEntry): AuditDocument => ({
  ...entry,
  _id: new Types.ObjectId(_id),
  actorId: actor._id,
  actorEmail: actor.email,
  subjectType: subject.type,
  subjectId: subject.id,
})

const toEntry = ({
  _id,
  actorId,
  actorEmail,
  subjectType,
  subjectId,
  ...entry
}: AuditDocument): AuditEntry => ({
  ...entry,
  _id: _id.toHexString(),
  actor: { _id: actorId, email: actorEmail },
  subject: { type: subjectType, id: subjectId },
})

const toQuery = ({ from, before, ...equal }: AuditFilter): QueryFilter<AuditDocument> => ({
  ...Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined)),
  ...((from ?? before) && { at: { ...(from && { $gte: from }), ...(before && { $lt: before }) } }),
})

export const createAuditStore = ({ model }: { model: AuditModel }): AuditStore => ({
  add: async (entry) => {
    try {
      await model.create(toDocument(entry))
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
  },

  list: async (filter, page) => {
    const { documents, next } = await findPage<AuditDocument>(
      model,
      { filter: toQuery(filter), time: 'at', projection: { __v: 0 } },
      page,
    )
    return { entries: documents.map(toEntry), ...(next && { next }) }
  },

  reduce: async (id) => {
    const withDetails = { details: { $exists: true } }
    await model.updateMany({ subjectId: id, ...withDetails }, { $unset: { details: 1 } })
    await model.updateMany({ eventId: id, ...withDetails }, { $unset: { details: 1 } })
    await model.updateMany(
      { actorId: id, actorEmail: { $ne: '' } },
      { $set: { actorEmail: '', address: '' } },
    )
  },

  removeBefore: async (time) => {
    const { deletedCount } = await model.deleteMany({ at: { $lt: time } })
    return deletedCount
  },
})
