import { readTag, readTime } from '@confetti/blob-storage'
import { tryEach } from '@confetti/service-kit'
import { completableMs } from '../config.ts'
import type { Deps } from '../deps.ts'
import { createUploadRemoval, idPrefixesBetween, removeEach, type EraseUncompleted } from './erase-event.ts'
import type { CaptureTimes } from '../processing/capture-times.ts'
import type { Overdue } from '../processing/overdue.ts'

const DAY_MS = 24 * 3_600_000
// Azure removes uncommitted blocks after a week.
const LOOK_BACK_MS = 8 * DAY_MS
const BATCH_SIZE = 500

/**
 * Repairs what a crash or an outage left: removes blobs without a record, requests processing and renditions again
 * that uploads have waited too long for, refreshes capture times, and removes the records of deleted uploads and expired
 * archives. Several replicas can run it at once.
 */
export const createSweep = (
  { config, uploads, archives, blobs, erasedIds, lingeringLinks, stopping, clock, metrics, logger }: Deps,
  {
    overdue,
    captureTimes,
    eraseUncompleted,
  }: { overdue: Overdue; captureTimes: CaptureTimes; eraseUncompleted: EraseUncompleted },
) => {
  const { ORPHAN_AGE_MS: orphanAgeMs, SWEEP_ORPHANS_LIMIT: maxOrphans } = config
  /** Ends the sweep when the service stops: what is left is removed by the next one. */
  const whileRunning =
    (remove: (uploadId: string) => Promise<boolean>) =>
    (uploadId: string): Promise<boolean> => {
      stopping.throwIfAborted()
      return remove(uploadId)
    }

  /** The ids, as `list` yields them for a prefix, that have reached an age; in batches. */
  const oldIds = async function* (
    now: number,
    ageMs: number,
    list: (prefix: string) => AsyncIterable<string>,
  ): AsyncGenerator<string[]> {
    const createdBefore = now - ageMs
    let batch: string[] = []
    for (const prefix of idPrefixesBetween(now - LOOK_BACK_MS, createdBefore))
      for await (const id of list(prefix)) {
        stopping.throwIfAborted()
        if (readTime(id) >= createdBefore) continue
        batch.push(id)
        if (batch.length < BATCH_SIZE) continue
        yield batch
        batch = []
      }
    if (batch.length > 0) yield batch
  }

  /**
   * Removes blobs without a record. A database that was restored from a backup lacks the records of acknowledged photos: if
   * there are more orphans than `maxOrphans`, all are kept until an operator has looked. Those count that are too old to
   * be completed, before they are old enough to be removed: so most of what a restored database lacks is counted at once.
   */
  const removeOrphans = async (now: number): Promise<number> => {
    const orphans: string[] = []
    for await (const ids of oldIds(now, completableMs(config), blobs.idsWithBlobs)) {
      const existing = await uploads.findRecorded(ids)
      orphans.push(...ids.filter((id) => !existing.has(id)))
      if (orphans.length > maxOrphans) break
    }
    const isTooMany = orphans.length > maxOrphans
    metrics.orphansKept(isTooMany ? orphans.length : 0)
    if (isTooMany) {
      logger.error(
        { orphans: orphans.length, limit: maxOrphans },
        'the sweep removes no blobs without a record, because there are too many; was the database restored?',
      )
      return 0
    }
    const old = orphans.filter((id) => readTime(id) < now - orphanAgeMs)
    const removed = (await removeEach(old, whileRunning(blobs.removeAll))).length
    metrics.swept(removed)
    return removed
  }

  /** Removes the blocks of direct uploads that can't be completed any more, or were completed long ago. */
  const removeStaged = async (now: number): Promise<number> => {
    let removed = 0
    for await (const ids of oldIds(now, orphanAgeMs, blobs.idsWithStaged))
      removed += (await removeEach(ids, whileRunning(blobs.removeStaged))).length
    metrics.swept(removed)
    return removed
  }

  /** Removes what guests have sent by links that outlived their event. */
  const eraseLate = async (now: Date): Promise<void> => {
    const tags = new Set(await lingeringLinks.list())
    if (tags.size === 0) return
    await eraseUncompleted((uploadId) => tags.has(readTag(uploadId)))
    await lingeringLinks.removeExpired(now)
  }

  const removeDeleted = async (before: Date): Promise<number> => {
    let count = 0
    // The media worker has removed the blobs, unless its message was lost.
    const removal = createUploadRemoval({ uploads, removeBlobs: whileRunning(blobs.removeAll) })
    for (;;) {
      const listed = await uploads.listDeleted(before, BATCH_SIZE + removal.leftCount())
      const { tried, removed } = await removal.remove(listed)
      count += removed
      if (tried < BATCH_SIZE) return count
    }
  }

  return async (): Promise<void> => {
    const now = clock().getTime()
    const parts: Record<string, () => Promise<unknown>> = {
      processing: overdue.requestProcessing,
      renditions: async () => ({ requestedRenditions: await overdue.requestRenditions() }),
      deleted: async () => ({
        // In this order: the records of deleted uploads are needed to detect outdated archives.
        removedArchives: await archives.removeExpired(new Date(now)),
        removedRecords: await removeDeleted(new Date(now - DAY_MS)),
      }),
      orphans: async () => ({ removedOrphans: await removeOrphans(now) }),
      staged: async () => ({ removedStaged: await removeStaged(now) }),
      late: () => eraseLate(new Date(now)),
      captures: async () => ({ refreshedCaptures: await captureTimes.refreshAll() }),
      erasedIds: erasedIds.removeOld,
    }
    const results = {}
    const errors = await tryEach(
      Object.entries(parts),
      async ([, run]) => {
        Object.assign(results, await run())
      },
      {
        stopping,
        onError: (error, [part]) => logger.error({ err: error, part }, 'a part of the sweep failed'),
      },
    )
    if (stopping.aborted) return
    logger.info(results, 'sweep completed')
    if (errors.length > 0) throw new AggregateError(errors, 'parts of the sweep failed')
  }
}
