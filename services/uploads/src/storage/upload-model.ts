import type { MediaType } from '@confetti/contracts'
import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection, type Types } from 'mongoose'

export interface UploadDocument extends OutboxFields {
  _id: Types.ObjectId
  eventId: string
  photoCredit: string
  originalName: string
  filename: string
  /** Unique: no two entries of an event's zip overwrite each other, also where case does not count. */
  filenameKey: string
  /** Unique: the same bytes in the same event under the same credit are one upload. */
  contentKey: string
  contentType: MediaType
  size: number
  sha256: string
  uploadedAt: Date
  status: 'processing' | 'ready' | 'failed'
  /** When the media worker was last asked. */
  askedAt: Date
  failureReason?: string
  width?: number
  height?: number
  durationSeconds?: number
  takenAt?: string
  /** A deleted upload stays until everybody has been told; nobody sees it. */
  deleted: boolean
  deletedAt?: Date
}

export const uploadModel = (connection: Connection) => {
  const schema = new Schema<UploadDocument>({
    eventId: { type: String, required: true },
    photoCredit: { type: String, required: true },
    originalName: { type: String, required: true },
    filename: { type: String, required: true },
    filenameKey: { type: String, required: true, unique: true },
    contentKey: { type: String, required: true, unique: true },
    contentType: { type: String, required: true },
    size: { type: Number, required: true },
    sha256: { type: String, required: true },
    uploadedAt: { type: Date, required: true },
    status: { type: String, required: true },
    askedAt: { type: Date, required: true },
    failureReason: String,
    width: Number,
    height: Number,
    durationSeconds: Number,
    takenAt: String,
    deleted: { type: Boolean, required: true },
    deletedAt: Date,
  })
    .index({ eventId: 1, deleted: 1, uploadedAt: -1, _id: -1 })
    .index({ status: 1, askedAt: 1 })
    .index({ deleted: 1, deletedAt: 1 })
  outboxPlugin(schema)
  return connection.model<UploadDocument>('Upload', schema)
}
export type UploadModel = ReturnType<typeof uploadModel>
