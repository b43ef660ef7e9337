import { addToOutbox, newMessage } from '@confetti/messaging'
import { upsertWithRetry, type Clock } from '@confetti/service-kit'
import { Types } from 'mongoose'
import type { JobStore, Outcome } from '../domain/job.ts'
import type { JobDocument, JobModel } from './job-model.ts'

// `measures` is the name of `metadata` in jobs written before version 0.2.
const outcomeOf = ({
  state,
  measures,
  metadata = measures,
  reason,
  checksums,
}: JobDocument): Outcome | undefined => {
  if (state === 'done' && metadata) return { state, metadata, ...(checksums && { checksums }) }
  if (state === 'failed' && reason) return { state, reason, ...(checksums && { checksums }) }
  return undefined
}

const messageOf = (uploadId: string, outcome: Outcome) =>
  outcome.state === 'done'
    ? newMessage('media.processed.v1', { uploadId, ...outcome.metadata, ...outcome.checksums })
    : newMessage('media.failed.v1', { uploadId, reason: outcome.reason, ...outcome.checksums })

const firstIdOf = (time: Date): string => Types.ObjectId.createFromTime(time.getTime() / 1_000).toHexString()

/** `wakeRelay` is called when a message has been added to the outbox. */
export const createJobStore = ({
  model,
  clock,
  wakeRelay,
}: {
  model: JobModel
  clock: Clock
  wakeRelay: () => void
}): JobStore => ({
  startAttempt: async (uploadId) => {
    const job = await upsertWithRetry(() =>
      model
        .findOneAndUpdate(
          { _id: uploadId },
          { $inc: { attempts: 1 }, $set: { changedAt: clock() } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<JobDocument>()
        .orFail(),
    )
    const outcome = outcomeOf(job)
    return { attempts: job.attempts, isDeleted: job.state === 'deleted', ...(outcome && { outcome }) }
  },

  refundAttempt: async (uploadId) => {
    await model.updateOne({ _id: uploadId }, { $inc: { attempts: -1 } })
  },

  saveOutcome: async (uploadId, outcome) => {
    const { matchedCount } = await model.updateOne(
      { _id: uploadId, state: { $ne: 'deleted' } },
      addToOutbox<JobDocument>({ ...outcome, changedAt: clock() }, messageOf(uploadId, outcome)),
    )
    if (matchedCount === 1) wakeRelay()
    // A job that is missing says nothing about its upload.
    else if (!(await model.exists({ _id: uploadId, state: 'deleted' })))
      throw new Error('The job is missing: it was removed while it was processed')
    return matchedCount === 1
  },

  markDeleted: async (uploadId) => {
    await upsertWithRetry(() =>
      model
        .updateOne(
          { _id: uploadId },
          {
            $set: { state: 'deleted', changedAt: clock() },
            $unset: { metadata: '', measures: '', reason: '', checksums: '' },
          },
          { upsert: true },
        )
        .exec(),
    )
  },

  removeOlderThan: async (before, limit) => {
    const unchanged = {
      outboxPending: false,
      // A job of version 0.1 is about as old as its upload, whose id starts with the time of its creation.
      $or: [
        { changedAt: { $lt: before } },
        {
          changedAt: null,
          state: { $in: ['done', 'failed', 'deleted'] as const },
          _id: { $lt: firstIdOf(before) },
        },
      ],
    }
    const jobs = await model.find(unchanged, { _id: 1 }).limit(limit).lean()
    const { deletedCount } = await model.deleteMany({
      _id: { $in: jobs.map(({ _id }) => _id) },
      ...unchanged,
    })
    return deletedCount
  },
})
