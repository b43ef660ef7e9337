import { readTime, type IdPeriod } from '@confetti/blob-storage'
import { runParts, throwIfAny, tryEach } from '@confetti/service-kit'
import { completableMs } from '../config.ts'
import type { Deps } from '../deps.ts'
import { createUploadRemoval, removeEach, type EraseUncompleted } from './erase-event.ts'
import type { CaptureTimes } from '../processing/capture-times.ts'
import type { Overdue } from '../processing/overdue.ts'
import type { RestoredDatabase } from '../recovery/restored-database.ts'
import { MAX_LINK_LIFE_MS } from '../sending/tickets.ts'
import { DELETED_KEPT_MS } from '../upload.ts'

const DAY_MS = 24 * 3_600_000
const RETRY_DELAY_MS = 3_600_000
type Orphan = Awaited<ReturnType<Deps['orphans']['list']>>[number]

const BATCH_SIZE = 500
// More follow in the next sweep.
const MAX_PERIODS = 5_000
const MAX_RECOUNTS = 1_000

/**
 * Repairs what a crash or an outage left: removes blobs without a record, requests processing, renditions and copies
 * that uploads have waited too long for, refreshes capture times, counts what events have stored, and removes the records of
 * deleted uploads and expired archives. One replica runs it at a time.
 */
export const createSweep = (
  {
    config,
    uploads,
    archives,
    blobs,
    unreadPeriods,
    orphans,
    erasedIds,
    eventTotals,
    lingeringLinks,
    runAlone,
    stopping,
    clock,
    metrics,
    logger,
  }: Deps,
  {
    overdue,
    captureTimes,
    eraseUncompleted,
    restoredDatabase,
  }: {
    overdue: Overdue
    captureTimes: CaptureTimes
    eraseUncompleted: EraseUncompleted
    restoredDatabase: Pick<RestoredDatabase, 'isRestored'>
  },
) => {
  const { ORPHAN_AGE_MS: orphanAgeMs, SWEEP_ORPHANS_LIMIT: maxOrphans } = config
  /** Ends the sweep when the service stops: what is left is removed by the next one. */
  const whileRunning =
    (remove: (uploadId: string) => Promise<boolean>) =>
    (uploadId: string): Promise<boolean> => {
      stopping.throwIfAborted()
      return remove(uploadId)
    }

  const toOrphan = (id: string): Orphan => {
    const outOfQuarantine = clock().getTime() + config.ORPHAN_QUARANTINE_MS
    return { id, removableAt: new Date(Math.max(readTime(id) + orphanAgeMs, outOfQuarantine)) }
  }

  /** Remembers the uploads of a period that are too old to be completed and have no record, or have staged blocks. */
  const findOrphans = async ({ prefix }: IdPeriod, createdBefore: number): Promise<void> => {
    const add = (ids: readonly string[]): Promise<void> => orphans.add(ids.map(toOrphan))
    for await (const ids of oldIds(blobs.idsWithBlobs(prefix), createdBefore)) {
      const recorded = await uploads.findRecorded(ids)
      await add(ids.filter((id) => !recorded.has(id)))
    }
    for await (const ids of oldIds(blobs.idsWithStaged(prefix), createdBefore)) await add(ids)
  }

  /** Those of the ids that were made before a time, in batches. */
  const oldIds = async function* (
    ids: AsyncIterable<string>,
    createdBefore: number,
  ): AsyncGenerator<string[]> {
    let batch: string[] = []
    for await (const id of ids) {
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
   * Reads the names of the periods that have grown too old to be completed. A file may still be arriving whose link has just
   * ended: a period is read for the last time when that has ended, too.
   */
  const readPeriods = async (now: number): Promise<void> => {
    const createdBefore = now - completableMs(config)
    for (const period of await unreadPeriods.list(new Date(createdBefore), MAX_PERIODS)) {
      stopping.throwIfAborted()
      await findOrphans(period, createdBefore)
      if (period.endsAt <= createdBefore - MAX_LINK_LIFE_MS) await unreadPeriods.remove(period.prefix)
    }
  }

  /** Removes the blobs of an upload without a record, and staged blocks, which were copied if it has one. */
  const removeOrphan = async (uploadId: string): Promise<boolean> => {
    const isRecorded = (await uploads.findRecorded([uploadId])).has(uploadId)
    const isRemoved = isRecorded || (await blobs.removeAll(uploadId))
    return (await blobs.removeStaged(uploadId)) && isRemoved
  }

  /**
   * Removes blobs without a record, some days after they were found: at most `maxOrphans` in a run, the oldest first, so that
   * a mistake cannot remove much at once. A database that was restored from a backup lacks the records of acknowledged photos:
   * then nothing is removed.
   */
  const removeOrphans = async (now: number): Promise<number> => {
    if (await restoredDatabase.isRestored()) return 0
    await readPeriods(now)
    const ids = (await orphans.list(new Date(now), maxOrphans)).map(({ id }) => id)
    const removed = await removeEach(ids, whileRunning(removeOrphan))
    await orphans.remove(removed)
    // Those that blob storage does not remove must not keep others from their turn.
    const left = ids.filter((id) => !removed.includes(id))
    await orphans.postpone(left, new Date(now + RETRY_DELAY_MS))
    metrics.swept(removed.length)
    metrics.orphansKept(await orphans.count(new Date(now)))
    return removed.length
  }

  /** Removes what guests have sent by links that outlived their event, and what was recorded after its erasure. */
  const eraseLate = async (now: Date): Promise<void> => {
    const tags = await lingeringLinks.list()
    if (tags.length === 0 || (await restoredDatabase.isRestored())) return
    await lingeringLinks.removeExpired(now, { except: await eraseUncompleted(tags) })
  }

  const removeDeleted = async (before: Date): Promise<number> => {
    let count = 0
    // The media worker has removed the blobs, unless its message was lost.
    const removal = createUploadRemoval(uploads)
    for (;;) {
      const listed = await uploads.listDeleted(before, BATCH_SIZE + removal.leftCount())
      const { tried, removed } = await removal.remove(listed, whileRunning(blobs.removeAll))
      count += removed
      if (tried < BATCH_SIZE) return count
    }
  }

  /** Counts what events have stored whose last count is from before `before`. */
  const recountTotals = async (before: Date): Promise<void> => {
    const onError = (error: unknown, eventId: string): void =>
      logger.error({ err: error, eventId }, 'the uploads of an event could not be counted')
    const old = await eventTotals.listOld(before, MAX_RECOUNTS)
    const errors = await tryEach(old, eventTotals.recount, { stopping, onError })
    throwIfAny(errors, 'the uploads of some events could not be counted')
  }

  const sweep = async (): Promise<void> => {
    const now = clock().getTime()
    const parts = {
      processing: overdue.requestProcessing,
      renditions: async () => ({ requestedRenditions: await overdue.requestRenditions() }),
      copies: async () => ({ requestedCopies: await overdue.requestCopies() }),
      archives: async () => ({ removedArchives: await archives.removeExpired(new Date(now), stopping) }),
      // Their records are kept until no archive that lists them can be downloaded.
      deleted: async () => ({ removedRecords: await removeDeleted(new Date(now - DELETED_KEPT_MS)) }),
      orphans: async () => ({ removedOrphans: await removeOrphans(now) }),
      late: () => eraseLate(new Date(now)),
      captures: async () => ({ refreshedCaptures: await captureTimes.refreshAll() }),
      erasedIds: erasedIds.removeOld,
      totals: () => recountTotals(new Date(now - DAY_MS)),
    }
    await runParts(parts, { stopping, logger })
  }

  return async (): Promise<void> => {
    await runAlone('sweep', sweep)
  }
}
