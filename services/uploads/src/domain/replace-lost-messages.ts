import type { Clock } from '@confetti/service-kit'
import type { RequestOverdueProcessing } from './request-processing.ts'
import type { RequestOverdueRenditions } from './request-renditions.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  uploads: Pick<UploadStore, 'markOverdue' | 'markRenditionsOverdue'>
  requestOverdueProcessing: RequestOverdueProcessing
  requestOverdueRenditions: RequestOverdueRenditions
  clock: Clock
}

/**
 * Requests processing again for all uploads that wait for it, and the renditions that videos wait for, after a queue was
 * lost with its messages at `lostAt`. It makes no difference which queue: a finished job only publishes its result again.
 */
export const makeReplaceLostMessages =
  ({ uploads, requestOverdueProcessing, requestOverdueRenditions, clock }: Deps) =>
  async (lostAt: Date): Promise<void> => {
    await uploads.markOverdue(lostAt, clock())
    await uploads.markRenditionsOverdue(lostAt, clock())
    await requestOverdueProcessing()
    await requestOverdueRenditions()
  }
export type ReplaceLostMessages = ReturnType<typeof makeReplaceLostMessages>
