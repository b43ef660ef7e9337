import type { Clock } from '@confetti/service-kit'
import type { UploadStore } from './upload.ts'
import type { RequestOverdueProcessing } from './request-processing.ts'

interface Deps {
  uploads: Pick<UploadStore, 'markOverdue'>
  requestOverdueProcessing: RequestOverdueProcessing
  clock: Clock
}

/**
 * Requests processing again for all uploads that wait for it, after a queue was lost with its messages at `lostAt`.
 * It makes no difference which queue: a finished job only publishes its result again.
 */
export const makeReplaceLostMessages =
  ({ uploads, requestOverdueProcessing, clock }: Deps) =>
  async (lostAt: Date): Promise<void> => {
    await uploads.markOverdue(lostAt, clock())
    await requestOverdueProcessing()
  }
export type ReplaceLostMessages = ReturnType<typeof makeReplaceLostMessages>
