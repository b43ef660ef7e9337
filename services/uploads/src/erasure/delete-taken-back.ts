import { throwIfAny, tryEach } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import type { RestoredDatabase } from '../recovery/restored-database.ts'

/** How often `createDeleteTakenBack` runs: so much later the quota is free again. */
export const DELETION_INTERVAL_MS = 5_000
// More follow in the next run.
const BATCH_SIZE = 500

/**
 * Deletes uploads for good that guests have taken back, and can't restore any more. Several replicas can do it at once; what
 * fails is left to the next run, and does not delay the others. A database that was restored from a backup does not know
 * what guests have restored since: then nothing is deleted.
 */
export const createDeleteTakenBack =
  (
    { uploads, stopping, clock, logger }: Pick<Deps, 'uploads' | 'stopping' | 'clock' | 'logger'>,
    { isRestored }: Pick<RestoredDatabase, 'isRestored'>,
  ) =>
  async (): Promise<void> => {
    const now = clock()
    const due = await uploads.listDeletionsDue(now, BATCH_SIZE)
    if (due.length === 0 || (await isRestored())) return
    const onError = (error: unknown, uploadId: string): void =>
      logger.warn({ err: error, uploadId }, 'failed to delete an upload that was taken back, will retry')
    const errors = await tryEach(due, (id) => uploads.deleteTakenBack(id, now), { stopping, onError })
    throwIfAny(errors, 'some uploads that were taken back were not deleted')
  }
