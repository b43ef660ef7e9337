import { outboxPlugin, type OutboxFields } from '@confetti/messaging'
import { Schema, type Connection } from 'mongoose'

export interface Measures {
  /** As shown, after turning. */
  width: number
  height: number
  durationSeconds?: number
  /** ISO 8601; without a zone where the file names none. */
  takenAt?: string
}

export interface JobDocument extends OutboxFields {
  /** The upload's id. */
  _id: string
  state: 'processing' | 'done' | 'failed' | 'deleted'
  /** How often it was taken up, less the times when something else than the file was at fault. */
  attempts: number
  measures?: Measures
  reason?: string
}

const jobSchema = new Schema<JobDocument>({
  _id: { type: String, required: true },
  state: { type: String, required: true, default: 'processing' },
  attempts: { type: Number, required: true, default: 0 },
  measures: { type: Object },
  reason: { type: String },
})
jobSchema.plugin(outboxPlugin)

export const createJobModel = (connection: Connection) => connection.model<JobDocument>('Job', jobSchema)
export type JobModel = ReturnType<typeof createJobModel>
