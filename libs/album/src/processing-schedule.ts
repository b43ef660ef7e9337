import type { Upload } from '@confetti/contracts'
import { isNewer } from './upload-order.ts'

const MIN_INTERVAL_MS = 8_000
const MAX_INTERVAL_MS = 60_000
// The interval is a sixth of the time without progress: 8 s until 48 s have passed, 60 s from 6 min on.
const BACKOFF_DIVISOR = 6

/** The `uploads` that are still being processed and that are older than all `newest` ones. */
export const processingBelow = (uploads: readonly Upload[], newest: readonly Upload[]): readonly Upload[] => {
  const oldest = newest.at(-1)
  return oldest ? uploads.filter((upload) => upload.status === 'processing' && isNewer(oldest, upload)) : []
}

export interface ProcessingSchedule {
  isDue: () => boolean
  /** Records a check: which uploads were being processed before it, and the list after it. */
  record: (processing: readonly Upload[], list: readonly Upload[]) => void
}

/** Schedules the checks of uploads that are being processed: less often while none of them gets ready. */
export const createProcessingSchedule = (now = Date.now): ProcessingSchedule => {
  let checkedAt = -Infinity
  let progressAt = now()
  return {
    isDue: () => {
      const intervalMs = (now() - progressAt) / BACKOFF_DIVISOR
      return now() - checkedAt >= Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, intervalMs))
    },
    record: (processing, list) => {
      const stillProcessing = new Set(
        list.filter(({ status }) => status === 'processing').map(({ _id }) => _id),
      )
      if (processing.length === 0 || processing.some(({ _id }) => !stillProcessing.has(_id)))
        progressAt = now()
      if (processing.length > 0) checkedAt = now()
    },
  }
}
