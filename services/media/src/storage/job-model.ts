import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection } from 'mongoose'
import type { Checksums, MediaMetadata } from '../jobs/job.ts'

export interface JobDocument extends OutboxFields {
  /** The upload's id. */
  _id: string
  state: 'processing' | 'done' | 'failed' | 'deleted'
  /** Attempts that failed because of an outage are not counted. */
  attempts: number
  /** When the job last changed. Absent in jobs written before version 0.2. */
  changedAt?: Date
  metadata?: MediaMetadata
  /** The name of `metadata` in jobs written before version 0.2. */
  measures?: MediaMetadata
  reason?: string
  /** Whether all decoders have refused the file. Absent in jobs written before version 0.2. */
  isFinal?: boolean
  /** Absent in jobs written before version 0.2. */
  checksums?: Checksums
  /** Of the rendition of a video. Absent until there is an attempt, as in jobs written before version 0.2. */
  renditionAttempts?: number
  /** Absent until the rendition is done or has failed. */
  renditionState?: 'done' | 'failed'
  renditionReason?: string
}

const jobSchema = new Schema<JobDocument>({
  _id: { type: String, required: true },
  state: { type: String, required: true, default: 'processing' },
  attempts: { type: Number, required: true, default: 0 },
  changedAt: { type: Date },
  metadata: { type: Object },
  measures: { type: Object },
  reason: { type: String },
  isFinal: { type: Boolean },
  checksums: { type: Object },
  renditionAttempts: { type: Number },
  renditionState: { type: String },
  renditionReason: { type: String },
})
jobSchema.index({ outboxPending: 1, changedAt: 1 })
jobSchema.plugin(outboxPlugin)

export const createJobModel = (connection: Connection) => connection.model<JobDocument>('Job', jobSchema)
export type JobModel = ReturnType<typeof createJobModel>
