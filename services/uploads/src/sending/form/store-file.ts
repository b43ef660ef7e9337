import type { Clock, Logger } from '@confetti/service-kit'
import type { AdmitUploads } from '../admission.ts'
import type { StoredEvent } from '../../events.ts'
import type { FindOpenEvent } from '../../events.ts'
import type { Sender } from '../sender.ts'
import type { AddedUpload } from '../../upload.ts'
import type { UploadMetrics } from '../../upload-metrics.ts'
import type { ReceivedFile } from './receive-file.ts'
import type { Deadline } from './staged-blob.ts'

interface Deps {
  findOpenEvent: FindOpenEvent
  admitUploads: AdmitUploads
  /** Removes the original of an upload. */
  removeOriginal: (uploadId: string) => Promise<void>
  clock: Clock
  metrics: Pick<UploadMetrics, 'phase'>
  logger: Logger
}

/** The form that contained a file. */
interface Form {
  event: StoredEvent
  photoCredit: string
  sender: Sender
  /** When the form began to arrive. */
  begunAt: Date
  deadline: Deadline
}

/**
 * Turns a received file into an upload: commits its bytes, then writes its record. If the process dies in between, a
 * blob without a record is left, which the sweep removes; there is never a record without a blob. Duplicates are
 * detected by the unique key of the record, without an extra query for files that are new. Throws `notFound` if the
 * event was deleted meanwhile, `gone` if it was closed, `tooLarge` if its quota is used up, and `unavailable` when
 * `deadline` passes.
 */
export const makeStoreFile =
  ({ findOpenEvent, admitUploads, removeOriginal, clock, metrics, logger }: Deps) =>
  async (
    { staged, ...file }: ReceivedFile,
    { event, photoCredit, sender, begunAt, deadline }: Form,
  ): Promise<AddedUpload> => {
    // The form may have taken an hour: of a deleted event not even the blocks may be left, and nothing is committed.
    await findOpenEvent(event._id, begunAt)
    await metrics.phase('commit', () => staged.commit(file.contentType, deadline))
    // If this fails, the record may or may not have been written, so the blob must stay.
    const [outcome] = await metrics.phase('record', () =>
      admitUploads([
        { upload: { ...file, eventId: event._id, photoCredit, uploadedAt: clock() }, sender, begunAt },
      ]),
    )
    if (!outcome) throw new Error('The database returned no upload')
    const isRefused = 'error' in outcome
    // Not awaited: the guest's file is stored already, or will not be.
    if (isRefused || outcome.duplicate)
      void removeOriginal(file._id).catch((error: unknown) =>
        logger.warn({ err: error }, 'failed to remove a blob that is not needed; the sweep removes it'),
      )
    if (isRefused) throw outcome.error
    return outcome
  }
export type StoreFile = ReturnType<typeof makeStoreFile>
