import type { Clock } from '@confetti/service-kit'
import { idPrefixesBetween } from './id-prefixes.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  uploads: Pick<UploadStore, 'findExisting'>
  blobs: {
    idsWithBlobs: (prefix: string) => AsyncIterable<string>
    idsWithStaged: (prefix: string) => AsyncIterable<string>
    removeAll: (uploadId: string) => Promise<void>
    removeStaged: (uploadId: string) => Promise<void>
  }
  /** For how long after its ticket a direct upload may have left something. */
  ticketLifeMs: number
  clock: Clock
}

/** Removes what guests have sent to deleted events without completing it: files whose ids `isErased` accepts. */
export const makeEraseUncompleted =
  ({ uploads, blobs, ticketLifeMs, clock }: Deps) =>
  async (isErased: (uploadId: string) => boolean): Promise<void> => {
    const isOrphan = async (id: string): Promise<boolean> => !(await uploads.findExisting([id])).has(id)
    const now = clock().getTime()
    for (const prefix of idPrefixesBetween(now - ticketLifeMs, now)) {
      for await (const id of blobs.idsWithBlobs(prefix))
        if (isErased(id) && (await isOrphan(id))) await blobs.removeAll(id)
      for await (const id of blobs.idsWithStaged(prefix)) if (isErased(id)) await blobs.removeStaged(id)
    }
  }
export type EraseUncompleted = ReturnType<typeof makeEraseUncompleted>
