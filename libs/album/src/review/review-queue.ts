import type { Upload } from '@confetti/contracts'

/** Splits uploads, which come newest first, into those to review, oldest first, and those that have no picture yet. */
export const toReviewQueue = (
  uploads: readonly Upload[],
): { queue: readonly Upload[]; preparingCount: number } => {
  const pending = uploads.filter(({ visibility }) => visibility === 'pending')
  const queue = pending.filter(({ status }) => status !== 'processing').reverse()
  return { queue, preparingCount: pending.length - queue.length }
}

export type DecisionKind = 'approve' | 'hide' | 'delete'

/** What was decided about uploads, as they were before. */
export interface Decision {
  kind: DecisionKind
  uploads: readonly Upload[]
}
