import { Schema, type Connection } from 'mongoose'

export interface NewUploadDocument {
  /** The upload's id. */
  _id: string
  eventId: string
  isVideo: boolean
  addedAt: Date
  /** The due time of the digest that reports it; null until there is one. */
  digest: Date | null
}

export const createNewUploadModel = (connection: Connection) => {
  const schema = new Schema<NewUploadDocument>({
    _id: { type: String, required: true },
    eventId: { type: String, required: true },
    isVideo: { type: Boolean, required: true },
    addedAt: { type: Date, required: true },
    digest: { type: Date, default: null },
  })
  schema.index({ eventId: 1, digest: 1, addedAt: 1 })
  schema.index({ addedAt: 1 })
  return connection.model<NewUploadDocument>('NewUpload', schema)
}
export type NewUploadModel = ReturnType<typeof createNewUploadModel>
