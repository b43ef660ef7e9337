import type { Logger } from '@confetti/service-kit'
import type { BlobStore } from '../storage/blob-store.ts'
import type { UploadStore } from '../storage/upload-store.ts'

interface Deps {
  uploads: UploadStore
  blobs: BlobStore
  clock: () => Date
  leftoverAgeMs: number
  patienceMs: number
  logger: Logger
}

const DAY_MS = 24 * 3_600_000
// Blob storage drops uncommitted blocks by itself after a week.
const LOOK_BACK_MS = 8 * DAY_MS
// Ids begin with the second they were made in, as 8 hexadecimal digits; the first 4 stand for 18 hours.
const PREFIX_MS = 0x10000 * 1_000

const prefixesBetween = (from: number, to: number): string[] => {
  const prefixes: string[] = []
  for (let slot = Math.floor(from / PREFIX_MS); slot <= Math.floor(to / PREFIX_MS); slot += 1)
    prefixes.push(slot.toString(16).padStart(4, '0'))
  return prefixes
}
const madeAt = (id: string): number => Number.parseInt(id.slice(0, 8), 16) * 1_000

/**
 * Mends what a crash or an outage left: bytes without a record are removed, uploads that wait for their pictures
 * too long are handed to the media worker again, and records of deleted uploads go. Harmless when several
 * replicas do it at once.
 */
export const makeSweep = ({ uploads, blobs, clock, leftoverAgeMs, patienceMs, logger }: Deps) => {
  const removeLeftovers = async (now: number): Promise<number> => {
    const oldEnough = now - leftoverAgeMs
    let removed = 0
    for (const prefix of prefixesBetween(now - LOOK_BACK_MS, oldEnough)) {
      const ids: string[] = []
      for await (const id of blobs.idsWithBytes(prefix)) if (madeAt(id) < oldEnough) ids.push(id)
      for (let start = 0; start < ids.length; start += 500) {
        const some = ids.slice(start, start + 500)
        const known = await uploads.known(some)
        for (const id of some.filter((candidate) => !known.has(candidate))) {
          await blobs.removeAll(id)
          removed += 1
        }
      }
    }
    return removed
  }

  return async (): Promise<void> => {
    const now = clock().getTime()
    const askedAgain = await uploads.askAgain(new Date(now - patienceMs), new Date(now))
    const forgotten = await uploads.forgetDeleted(new Date(now - DAY_MS))
    const leftovers = await removeLeftovers(now)
    logger.info({ askedAgain, forgotten, leftovers }, 'swept')
  }
}
