import type { Upload } from '@confetti/contracts'
import { isNewer } from './upload-order.ts'

const OFTEN_MS = 8_000
const RARELY_MS = 60_000
// Looked for every ten seconds or so in the first minute without news, then ever more rarely.
const PATIENCE = 6

/** Those of `uploads` that are still being processed and lie below the `newest` ones. */
export const unfinishedBelow = (uploads: readonly Upload[], newest: readonly Upload[]): readonly Upload[] => {
  const oldest = newest.at(-1)
  return oldest ? uploads.filter((upload) => upload.status === 'processing' && isNewer(oldest, upload)) : []
}

/** When to look after uploads in the making: often while they get ready, rarely while nothing becomes of them. */
export const makeLookout = (now = Date.now) => {
  let lookedAt = -Infinity
  let movedAt = now()
  return {
    isDue: (): boolean =>
      now() - lookedAt >= Math.min(RARELY_MS, Math.max(OFTEN_MS, (now() - movedAt) / PATIENCE)),
    /** It has been looked for the `unfinished` ones, of which `list` tells what has become. */
    looked: (unfinished: readonly Upload[], list: readonly Upload[]): void => {
      const waiting = new Set(list.filter(({ status }) => status === 'processing').map(({ _id }) => _id))
      const moved = !unfinished.every(({ _id }) => waiting.has(_id))
      if (moved || unfinished.length === 0) movedAt = now()
      if (unfinished.length > 0) lookedAt = now()
    },
  }
}
