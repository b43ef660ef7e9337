import { inSpan, type Clock } from '@confetti/service-kit'
import type { Decode, Render } from '../decode/decode.ts'
import type { JobRecords, JobStore, Outcome, PreviewOutcome } from './job.ts'
import { createRunJob, type RunJobDeps } from './run-job.ts'

const SWEEP_BATCH_SIZE = 500

interface Deps extends RunJobDeps {
  previews: JobStore<PreviewOutcome>
  renditions: JobStore<Outcome>
  records: JobRecords
  decode: Decode
  render: Render
  retentionMs: number
  clock: Clock
}

/** What the worker does with uploads. */
export const createJobs = ({
  previews,
  renditions,
  records,
  decode,
  render,
  retentionMs,
  clock,
  ...runDeps
}: Deps) => {
  const { blobs, logger } = runDeps

  return {
    /** Creates thumbnail and preview of an upload, and reads its metadata. */
    process: createRunJob<PreviewOutcome>({
      ...runDeps,
      jobs: previews,
      name: 'file',
      endMessage: 'upload processed',
      work: async ({ uploadId, contentType, size }, original) => {
        const attributes = { 'confetti.content_type': contentType, 'confetti.bytes': size }
        const { metadata, ...derivatives } = await inSpan('decode', { attributes }, () =>
          decode({ ...original, contentType }),
        )
        await inSpan('store', {}, () => blobs.putDerivatives(uploadId, derivatives))
        return { state: 'done', metadata }
      },
    }),

    /** Creates the rendition of a video: a file that all browsers play. */
    render: createRunJob<Outcome>({
      ...runDeps,
      jobs: renditions,
      name: 'rendition',
      endMessage: 'rendition processed',
      work: async ({ uploadId, size }, original) => {
        const attributes = { 'confetti.bytes': size }
        const file = await inSpan('render', { attributes }, () => render(original))
        // Rendering takes minutes. What is stored of a deleted upload would be there until it is removed again.
        if (!(await records.isDeleted(uploadId)))
          await inSpan('store', {}, () => blobs.putRendition(uploadId, file))
        return { state: 'done' }
      },
    }),

    /** Removes the original and the derivatives of a deleted upload. */
    discard: async (uploadId: string): Promise<void> => {
      // The mark comes first: a worker that is processing the upload finds it and removes the derivatives it has stored.
      await records.markDeleted(uploadId)
      await blobs.removeUpload(uploadId)
    },

    /**
     * Removes the jobs of uploads that have been deleted or processed long ago: no message about them is expected any
     * more. Several replicas can run it at once.
     */
    sweep: async (): Promise<void> => {
      const before = new Date(clock().getTime() - retentionMs)
      let removedJobs = 0
      for (;;) {
        const removed = await records.removeOlderThan(before, SWEEP_BATCH_SIZE)
        removedJobs += removed
        if (removed < SWEEP_BATCH_SIZE) break
      }
      logger.info({ removedJobs }, 'sweep completed')
    },
  }
}
export type Jobs = ReturnType<typeof createJobs>
