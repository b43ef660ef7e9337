import { unavailable, type Clock } from '@confetti/service-kit'
import type { RequestOverdueProcessing } from './request-processing.ts'
import type { RequestOverdueRenditions } from './request-renditions.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  uploads: Pick<UploadStore, 'markOverdue' | 'markRenditionsOverdue'>
  requestOverdueProcessing: RequestOverdueProcessing
  requestOverdueRenditions: RequestOverdueRenditions
  /** Runs work unless another replica is at it; returns whether it ran. */
  runAlone: (work: () => Promise<void>) => Promise<boolean>
  clock: Clock
}

/**
 * Requests processing again for all uploads that wait for it, and the renditions that videos wait for, after a queue was
 * lost with its messages at `lostAt`. It makes no difference which queue: a finished job only publishes its result again.
 * A broker that lost its data is noticed for each queue by several services; what the first call has requested again, the
 * others find no more. Throws 503 while another replica is at it, so that the message comes again.
 */
export const makeReplaceLostMessages =
  ({ uploads, requestOverdueProcessing, requestOverdueRenditions, runAlone, clock }: Deps) =>
  async (lostAt: Date): Promise<void> => {
    const hasRun = await runAlone(async () => {
      await uploads.markOverdue(lostAt, clock())
      await uploads.markRenditionsOverdue(lostAt, clock())
      await requestOverdueProcessing()
      await requestOverdueRenditions()
    })
    if (!hasRun) throw unavailable('Another replica requests lost messages again')
  }
export type ReplaceLostMessages = ReturnType<typeof makeReplaceLostMessages>
