import type { Clock, ErasedIds, Logger } from '@confetti/service-kit'
import type { NewUploadStore } from './digest.ts'
import type { MailStore } from './mail.ts'

interface Deps {
  mails: Pick<MailStore, 'removeOlderThan'>
  newUploads: Pick<NewUploadStore, 'removeOlderThan'>
  erasedIds: Pick<ErasedIds, 'removeOld'>
  clock: Clock
  retentionMs: number
  logger: Logger
}

const BATCH_SIZE = 500

/** Removes records that are no longer needed. Several replicas can run it at once. */
export const makeSweep =
  ({ mails, newUploads, erasedIds, clock, retentionMs, logger }: Deps) =>
  async (): Promise<void> => {
    const before = new Date(clock().getTime() - retentionMs)
    const removeAll = async (remove: (limit: number) => Promise<number>): Promise<number> => {
      let removed = 0
      for (;;) {
        const count = await remove(BATCH_SIZE)
        removed += count
        if (count < BATCH_SIZE) return removed
      }
    }
    const removedMails = await removeAll((limit) => mails.removeOlderThan(before, limit))
    const removedUploads = await removeAll((limit) => newUploads.removeOlderThan(before, limit))
    await erasedIds.removeOld()
    logger.info({ removedMails, removedUploads }, 'sweep completed')
  }
