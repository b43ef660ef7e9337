import { Schema, type Connection } from 'mongoose'

export interface DigestDocument {
  /** The event's id. */
  _id: string
  dueAt: Date
  leaseUntil: Date
}

export const createDigestModel = (connection: Connection) => {
  const schema = new Schema<DigestDocument>({
    _id: { type: String, required: true },
    dueAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
  })
  schema.index({ dueAt: 1 })
  return connection.model<DigestDocument>('Digest', schema)
}
export type DigestModel = ReturnType<typeof createDigestModel>
