import { DECODER_VERSION, isVideo, PROCESSING_CRASHED } from '@confetti/contracts'
import { addToOutbox, newMessage, outboxPlugin, type Message, type OutboxFields } from '@confetti/messaging'
import { upsertWithRetry, type Clock } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type {
  Checksums,
  CopyFile,
  CopyOutcome,
  JobRecords,
  JobStore,
  MediaMetadata,
  PreviewOutcome,
  Upload,
} from '../jobs/job.ts'

interface JobDocument extends OutboxFields {
  /** The upload's id. */
  _id: string
  state: 'processing' | 'done' | 'failed' | 'deleted'
  /** Attempts that failed because of an outage are not counted. */
  attempts: number
  /** When the job last changed. */
  changedAt: Date
  metadata?: MediaMetadata
  reason?: string
  /** That of the outcome. Absent where a version before 1 has processed the file. */
  decoderVersion?: number
  /** Absent where the original could not be read. */
  checksums?: Checksums
  /** Of the rendition of a video. Absent until there is an attempt. */
  renditionAttempts?: number
  /** Absent until the rendition is done or has failed. */
  renditionState?: 'done' | 'failed'
  renditionReason?: string
  /** Absent in what earlier versions have made. */
  rendition?: CopyFile
  /** Of a copy that was asked for alone. */
  copyAttempts?: number
  copyReason?: string
  /** Absent until there is one. */
  copy?: CopyFile
}

const jobSchema = new Schema<JobDocument>({
  _id: { type: String, required: true },
  state: { type: String, required: true, default: 'processing' },
  attempts: { type: Number, required: true, default: 0 },
  changedAt: { type: Date, required: true },
  metadata: { type: Object },
  reason: { type: String },
  decoderVersion: { type: Number },
  checksums: { type: Object },
  renditionAttempts: { type: Number },
  renditionState: { type: String },
  renditionReason: { type: String },
  rendition: { type: Object },
  copyAttempts: { type: Number },
  copyReason: { type: String },
  copy: { type: Object },
})
jobSchema.index({ outboxPending: 1, changedAt: 1 })
jobSchema.plugin(outboxPlugin)

export const createJobModel = (connection: Connection) => connection.model<JobDocument>('Job', jobSchema)
type JobModel = ReturnType<typeof createJobModel>

const previewOutcomeOf = ({
  state,
  metadata,
  reason,
  checksums,
  copy,
}: JobDocument): PreviewOutcome | undefined => {
  if (state === 'done' && metadata)
    return { state, metadata, ...(copy && { copy }), ...(checksums && { checksums }) }
  if (state === 'failed' && reason) return { state, reason, ...(checksums && { checksums }) }
  return undefined
}

const renditionOutcomeOf = ({
  renditionState,
  renditionReason,
  rendition,
}: JobDocument): CopyOutcome | undefined => {
  if (renditionState === 'done') return { state: 'done', ...(rendition && { copy: rendition }) }
  if (renditionState === 'failed' && renditionReason) return { state: 'failed', reason: renditionReason }
  return undefined
}

const copyOutcomeOf = ({ copy, copyReason }: JobDocument): CopyOutcome | undefined => {
  if (copy) return { state: 'done', copy }
  return copyReason === undefined ? undefined : { state: 'failed', reason: copyReason }
}

/** Whether decoders of an earlier version have refused the file, which those of this version may decode. */
const isRefusedByEarlierDecoders = ({ state, reason, decoderVersion = 0 }: JobDocument): boolean =>
  state === 'failed' && reason !== PROCESSING_CRASHED && decoderVersion < DECODER_VERSION

const previewMessage = (uploadId: string, outcome: PreviewOutcome): Message => {
  const common = { uploadId, decoderVersion: DECODER_VERSION, ...outcome.checksums }
  return outcome.state === 'done'
    ? newMessage('media.processed.v1', {
        ...common,
        ...outcome.metadata,
        ...(outcome.copy && { copy: outcome.copy }),
      })
    : newMessage('media.failed.v1', { ...common, reason: outcome.reason })
}

/** The request for the rendition of a video that could be opened. */
const renditionRequest = ({ uploadId, contentType, size }: Upload, { state }: PreviewOutcome): Message[] =>
  state === 'done' && isVideo(contentType)
    ? [newMessage('media.rendition-requested.v1', { uploadId, contentType, size })]
    : []

/**
 * The jobs of previews, renditions and copies are in one document for each upload. Previews of videos request a rendition if
 * there are any. `wakeRelay` is called when a message has been added to the outbox.
 */
export const createJobStores = (
  model: JobModel,
  { hasRenditions, clock, wakeRelay }: { hasRenditions: boolean; clock: Clock; wakeRelay: () => void },
): {
  previews: JobStore<PreviewOutcome>
  renditions: JobStore<CopyOutcome>
  copies: JobStore<CopyOutcome>
  records: JobRecords
} => {
  const startAttempt = (
    uploadId: string,
    counter: 'attempts' | 'renditionAttempts' | 'copyAttempts',
  ): Promise<JobDocument> =>
    upsertWithRetry(() =>
      model
        .findOneAndUpdate(
          { _id: uploadId },
          { $inc: { [counter]: 1 }, $set: { changedAt: clock() } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<JobDocument>()
        .orFail(),
    )
  /** Returns false if the upload has been deleted. */
  const save = async (
    uploadId: string,
    fields: Partial<JobDocument>,
    messages: readonly Message[],
  ): Promise<boolean> => {
    const set = { ...fields, changedAt: clock() }
    const { matchedCount } = await model.updateOne(
      { _id: uploadId, state: { $ne: 'deleted' } },
      messages.length > 0 ? addToOutbox<JobDocument>(set, ...messages) : { $set: set },
    )
    if (matchedCount === 1) {
      wakeRelay()
      return true
    }
    // A job that is missing says nothing about its upload.
    if (!(await model.exists({ _id: uploadId, state: 'deleted' })))
      throw new Error('The job is missing: it was removed while it was processed')
    return false
  }

  /** Removes the failure of earlier decoders, so that the file is decoded again. */
  const discardFailure = async ({ _id, decoderVersion }: JobDocument): Promise<void> => {
    await model.updateOne(
      { _id, state: 'failed', decoderVersion: decoderVersion ?? null },
      { $set: { state: 'processing', attempts: 1 }, $unset: { reason: '', checksums: '' } },
    )
  }

  return {
    previews: {
      startAttempt: async ({ uploadId }) => {
        const job = await startAttempt(uploadId, 'attempts')
        if (isRefusedByEarlierDecoders(job)) {
          await discardFailure(job)
          return { attempts: 1, isDeleted: false }
        }
        const outcome = previewOutcomeOf(job)
        return { attempts: job.attempts, isDeleted: job.state === 'deleted', ...(outcome && { outcome }) }
      },
      refundAttempt: async (uploadId) => {
        await model.updateOne({ _id: uploadId }, { $inc: { attempts: -1 } })
      },
      saveOutcome: (upload, outcome) =>
        save(upload.uploadId, { ...outcome, decoderVersion: DECODER_VERSION }, [
          previewMessage(upload.uploadId, outcome),
          ...(hasRenditions ? renditionRequest(upload, outcome) : []),
        ]),
    },

    renditions: {
      startAttempt: async ({ uploadId }) => {
        const job = await startAttempt(uploadId, 'renditionAttempts')
        const outcome = renditionOutcomeOf(job)
        return {
          attempts: job.renditionAttempts ?? 0,
          isDeleted: job.state === 'deleted',
          ...(outcome && { outcome }),
        }
      },
      refundAttempt: async (uploadId) => {
        await model.updateOne({ _id: uploadId }, { $inc: { renditionAttempts: -1 } })
      },
      saveOutcome: ({ uploadId }, outcome) =>
        outcome.state === 'done'
          ? save(uploadId, { renditionState: 'done', ...(outcome.copy && { rendition: outcome.copy }) }, [
              newMessage('media.rendered.v1', { uploadId, ...(outcome.copy && { copy: outcome.copy }) }),
            ])
          : save(uploadId, { renditionState: 'failed', renditionReason: outcome.reason }, []),
    },

    copies: {
      startAttempt: async ({ uploadId }) => {
        const job = await startAttempt(uploadId, 'copyAttempts')
        const outcome = copyOutcomeOf(job)
        return {
          attempts: job.copyAttempts ?? 0,
          isDeleted: job.state === 'deleted',
          ...(outcome && { outcome }),
        }
      },
      refundAttempt: async (uploadId) => {
        await model.updateOne({ _id: uploadId }, { $inc: { copyAttempts: -1 } })
      },
      saveOutcome: ({ uploadId }, outcome) => {
        if (outcome.state === 'failed') return save(uploadId, { copyReason: outcome.reason }, [])
        const { copy } = outcome
        return copy
          ? save(uploadId, { copy }, [newMessage('media.copied.v1', { uploadId, copy })])
          : Promise.reject(new Error('A copy was made without a file'))
      },
    },

    records: {
      isDeleted: async (uploadId) => Boolean(await model.exists({ _id: uploadId, state: 'deleted' })),

      markDeleted: async (uploadId) => {
        await upsertWithRetry(() =>
          model
            .updateOne(
              { _id: uploadId },
              {
                $set: { state: 'deleted', changedAt: clock() },
                $unset: {
                  metadata: '',
                  reason: '',
                  checksums: '',
                  renditionReason: '',
                  copyReason: '',
                  copy: '',
                },
              },
              { upsert: true },
            )
            .exec(),
        )
      },

      removeOlderThan: async (before, limit) => {
        const unchanged = { outboxPending: false, changedAt: { $lt: before } }
        const jobs = await model.find(unchanged, { _id: 1 }).limit(limit).lean()
        const { deletedCount } = await model.deleteMany({
          _id: { $in: jobs.map(({ _id }) => _id) },
          ...unchanged,
        })
        return deletedCount
      },
    },
  }
}
