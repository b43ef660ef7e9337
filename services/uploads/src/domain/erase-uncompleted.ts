import type { Clock } from '@confetti/service-kit'
import { idPrefixesBetween } from './id-prefixes.ts'
import type { UploadStore } from './upload.ts'

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
export const makeEraseUncompleted =
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
export type EraseUncompleted = ReturnType<typeof makeEraseUncompleted>
