import type { EventSummary } from '@confetti/contracts'
import type { Logger } from '@confetti/service-kit'
import type { BlobStore } from '../storage/blob-store.ts'
import type { TimeLimit } from '../storage/staged-blob.ts'
import type { StoredUpload, UploadStore } from '../storage/upload-store.ts'
import type { UploadMetrics } from '../upload-metrics.ts'
import type { ReceivedFile } from './receive-file.ts'

interface Deps {
  uploads: UploadStore
  blobs: BlobStore
  clock: () => Date
  metrics: Pick<UploadMetrics, 'phase'>
  logger: Logger
}

export interface KeptFile {
  upload: StoredUpload
  /** The same bytes with the same credit were there already. */
  duplicate: boolean
}

/**
 * Makes a received file an upload of its event: its bytes first, then its record. If the process dies in between,
 * bytes without a record are left, which the sweep removes; never a record without bytes. A file that is there
 * already is found out by its record, which saves all others a question. Throws `unavailable` when `limit` is over.
 */
export const makeKeepFile =
  ({ uploads, blobs, clock, metrics, logger }: Deps) =>
  async (
    { staged, ...file }: ReceivedFile,
    { event, photoCredit, limit }: { event: EventSummary; photoCredit: string; limit: TimeLimit },
  ): Promise<KeptFile> => {
    await metrics.phase('commit', () => staged.commit(file.contentType, limit))
    // If this fails we cannot tell whether the record was written, so the bytes must stay.
    const { upload, added } = await metrics.phase('record', () =>
      uploads.add({ ...file, eventId: event._id, photoCredit, uploadedAt: clock() }),
    )
    // Not awaited: the guest has what was wanted.
    if (!added)
      void blobs.remove(file._id).catch((error: unknown) => logger.warn({ err: error }, 'left to the sweep'))
    return { upload, duplicate: !added }
  }
export type KeepFile = ReturnType<typeof makeKeepFile>
