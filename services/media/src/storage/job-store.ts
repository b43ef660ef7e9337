import { upserting } from '@confetti/service-kit'
import { addToOutbox, newMessage } from '@confetti/messaging'
import type { JobDocument, JobModel, Measures } from './job-model.ts'

export type Outcome = { state: 'done'; measures: Measures } | { state: 'failed'; reason: string }

export interface Job {
  attempts: number
  deleted: boolean
  /** Set once it is settled. */
  outcome?: Outcome
}

const outcomeOf = ({ state, measures, reason }: JobDocument): Outcome | undefined => {
  if (state === 'done' && measures) return { state, measures }
  if (state === 'failed' && reason) return { state, reason }
  return undefined
}

const messageOf = (uploadId: string, outcome: Outcome) =>
  outcome.state === 'done'
    ? newMessage('media.processed.v1', { uploadId, ...outcome.measures })
    : newMessage('media.failed.v1', { uploadId, reason: outcome.reason })

export const createJobStore = (model: JobModel) => ({
  /** Takes a job up, a new one or one that is known; counts the attempt before anything can go wrong with it. */
  begin: async (uploadId: string): Promise<Job> => {
    const job = await upserting(() =>
      model
        .findOneAndUpdate(
          { _id: uploadId },
          { $inc: { attempts: 1 } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<JobDocument>()
        .orFail(),
    )
    const outcome = outcomeOf(job)
    return { attempts: job.attempts, deleted: job.state === 'deleted', ...(outcome && { outcome }) }
  },

  giveBackAttempt: async (uploadId: string): Promise<void> => {
    await model.updateOne({ _id: uploadId }, { $inc: { attempts: -1 } })
  },

  /** Keeps the outcome and lets it be told, in one write. False when the upload was deleted meanwhile. */
  settle: async (uploadId: string, outcome: Outcome): Promise<boolean> => {
    const settled = await model.updateOne(
      { _id: uploadId, state: { $ne: 'deleted' } },
      addToOutbox<JobDocument>(messageOf(uploadId, outcome), { ...outcome }),
    )
    return settled.matchedCount === 1
  },

  markDeleted: async (uploadId: string): Promise<void> => {
    await upserting(() =>
      model.updateOne({ _id: uploadId }, { $set: { state: 'deleted' } }, { upsert: true }).exec(),
    )
  },
})
export type JobStore = ReturnType<typeof createJobStore>
