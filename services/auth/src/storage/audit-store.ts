import { findPage, isDuplicateKey } from '@confetti/service-kit'
import { Schema, Types, type Connection, type QueryFilter } from 'mongoose'
import type { AuditEntry, AuditFilter, AuditStore } from '../audit/audit.ts'

interface AuditDocument extends Pick<AuditEntry, 'at' | 'action' | 'eventId' | 'address' | 'details'> {
  _id: Types.ObjectId
  actorId: string
  actorEmail: string
  subjectType: AuditEntry['subject']['type']
  subjectId: string
}

const createAuditModel = (connection: Connection) => {
  const schema = new Schema<AuditDocument>({
    at: { type: Date, required: true },
    action: { type: String, required: true },
    actorId: { type: String, required: true },
    actorEmail: String,
    subjectType: { type: String, required: true },
    subjectId: { type: String, required: true, index: true },
    eventId: String,
    address: String,
    details: Object,
  })
    .index({ at: -1, _id: -1 })
    .index({ actorId: 1, at: -1, _id: -1 })
    .index({ actorEmail: 1, at: -1, _id: -1 })
    .index({ eventId: 1, at: -1, _id: -1 })
    .index({ action: 1, at: -1, _id: -1 })
  return connection.model<AuditDocument>('AuditEntry', schema)
}
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

/** Creates the store in a database, and its indexes. */
export const createAuditStore = async (connection: Connection): Promise<AuditStore> => {
  const model = createAuditModel(connection)
  await model.createIndexes()
  return {
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
  }
}
