import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection } from 'mongoose'
import type { Checksums, MediaMetadata } from '../domain/media.ts'

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
  /** Absent in jobs written before version 0.2. */
  checksums?: Checksums
}

const jobSchema = new Schema<JobDocument>({
  _id: { type: String, required: true },
  state: { type: String, required: true, default: 'processing' },
  attempts: { type: Number, required: true, default: 0 },
  changedAt: { type: Date },
  metadata: { type: Object },
  measures: { type: Object },
  reason: { type: String },
  checksums: { type: Object },
})
jobSchema.index({ outboxPending: 1, changedAt: 1 })
jobSchema.plugin(outboxPlugin)

export const createJobModel = (connection: Connection) => connection.model<JobDocument>('Job', jobSchema)
export type JobModel = ReturnType<typeof createJobModel>
