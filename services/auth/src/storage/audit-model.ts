import { Schema, type Connection, type Types } from 'mongoose'
import type { AuditEntry } from '../domain/audit.ts'

/** Without embedded documents: FerretDB finds only fields of the document itself without reading the whole collection. */
export interface AuditDocument extends Pick<AuditEntry, 'at' | 'action' | 'eventId' | 'address' | 'details'> {
  _id: Types.ObjectId
  actorId: string
  actorEmail: string
  subjectType: AuditEntry['subject']['type']
  subjectId: string
}

export const createAuditModel = (connection: Connection) => {
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
export type AuditModel = ReturnType<typeof createAuditModel>
