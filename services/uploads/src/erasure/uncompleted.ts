import type { Clock } from '@confetti/service-kit'
import type { UploadStore } from '../upload.ts'

/** The tags of deleted events for which guests may still have links: what they send is removed again. */
export interface ErasedTags {
  add: (tag: string, linksExpireAt: Date) => Promise<void>
  list: () => Promise<string[]>
  /** Removes those whose links expired before `before`. */
  removeExpired: (before: Date) => Promise<void>
}

// An id starts with its creation time in seconds, as 8 hexadecimal digits; the first 4 digits cover 18 hours.
const PREFIX_MS = 0x10000 * 1_000

/** The first digits of all ids that were made between two times, in milliseconds since 1970. */
export const idPrefixesBetween = (from: number, to: number): string[] => {
  const prefixes: string[] = []
  for (let slot = Math.floor(from / PREFIX_MS); slot <= Math.floor(to / PREFIX_MS); slot += 1)
    prefixes.push(slot.toString(16).padStart(4, '0'))
  return prefixes
}

interface Deps {
  uploads: Pick<UploadStore, 'findExisting'>
  blobs: {
    idsWithBlobs: (prefix: string) => AsyncIterable<string>
    idsWithStaged: (prefix: string) => AsyncIterable<string>
    removeAll: (uploadId: string) => Promise<boolean>
    removeStaged: (uploadId: string) => Promise<boolean>
  }
  /** For how long after its ticket a direct upload may have left something. */
  ticketLifeMs: number
  clock: Clock
}

/**
 * Removes what guests have sent to deleted events without completing it: files whose ids `isErased` accepts. False if
 * something is left.
 */
export const createEraseUncompleted =
  ({ uploads, blobs, ticketLifeMs, clock }: Deps) =>
  async (isErased: (uploadId: string) => boolean): Promise<boolean> => {
    const isOrphan = async (id: string): Promise<boolean> => !(await uploads.findExisting([id])).has(id)
    const now = clock().getTime()
    let isDone = true
    for (const prefix of idPrefixesBetween(now - ticketLifeMs, now)) {
      for await (const id of blobs.idsWithBlobs(prefix))
        if (isErased(id) && (await isOrphan(id))) isDone = (await blobs.removeAll(id)) && isDone
      for await (const id of blobs.idsWithStaged(prefix))
        if (isErased(id)) isDone = (await blobs.removeStaged(id)) && isDone
    }
    return isDone
  }
export type EraseUncompleted = ReturnType<typeof createEraseUncompleted>
