import type { Clock, Logger } from '@confetti/service-kit'
import type { StoredEvent } from '../domain/event.ts'
import type { AddedUpload, UploadStore } from '../domain/upload.ts'
import type { UploadMetrics } from '../upload-metrics.ts'
import type { ReceivedFile } from './receive-file.ts'
import type { Deadline } from './staged-blob.ts'

interface Deps {
  uploads: Pick<UploadStore, 'add'>
  /** Removes the original of an upload. */
  removeOriginal: (uploadId: string) => Promise<void>
  clock: Clock
  metrics: Pick<UploadMetrics, 'phase'>
  logger: Logger
}

/**
 * Turns a received file into an upload: commits its bytes, then writes its record. If the process dies in between, a
 * blob without a record is left, which the sweep removes; there is never a record without a blob. Duplicates are
 * detected by the unique key of the record, without an extra query for files that are new. Throws `unavailable` when
 * `deadline` passes.
 */
export const makeStoreFile =
  ({ uploads, removeOriginal, clock, metrics, logger }: Deps) =>
  async (
    { staged, ...file }: ReceivedFile,
    { event, photoCredit, deadline }: { event: StoredEvent; photoCredit: string; deadline: Deadline },
  ): Promise<AddedUpload> => {
    await metrics.phase('commit', () => staged.commit(file.contentType, deadline))
    // If this fails, the record may or may not have been written, so the blob must stay.
    const [stored] = await metrics.phase('record', () =>
      uploads.add([{ ...file, eventId: event._id, photoCredit, uploadedAt: clock() }]),
    )
    if (!stored) throw new Error('The database returned no upload')
    // Not awaited: the guest's file is stored already.
    if (stored.duplicate)
      void removeOriginal(file._id).catch((error: unknown) =>
        logger.warn({ err: error }, 'failed to remove the blob of a duplicate; the sweep removes it'),
      )
    return stored
  }
export type StoreFile = ReturnType<typeof makeStoreFile>
