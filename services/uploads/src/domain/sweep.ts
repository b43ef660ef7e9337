import { readTag } from '@confetti/blob-storage'
import type { Clock, ErasedIds, Logger } from '@confetti/service-kit'
import type { ArchiveStore } from '../archive/archive.ts'
import type { UploadMetrics } from '../upload-metrics.ts'
import type { EraseUncompleted } from './erase-uncompleted.ts'
import type { ErasedTags } from './erased-tags.ts'
import { idPrefixesBetween } from './id-prefixes.ts'
import type { RequestOverdueProcessing } from './request-processing.ts'
import type { RequestOverdueRenditions } from './request-renditions.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  uploads: Pick<UploadStore, 'listDeleted' | 'removeDeleted' | 'findExisting'>
  archives: Pick<ArchiveStore, 'removeExpired'>
  erasedIds: Pick<ErasedIds, 'removeOld'>
  erasedTags: Pick<ErasedTags, 'list' | 'removeExpired'>
  eraseUncompleted: EraseUncompleted
  blobs: {
    /** The ids of uploads that start with `prefix` and have blobs, committed or not. */
    idsWithBlobs: (prefix: string) => AsyncIterable<string>
    /** The ids of uploads that start with `prefix` and have staged blocks of a direct upload. */
    idsWithStaged: (prefix: string) => AsyncIterable<string>
    /** Removes the staged blocks of an upload, uncommitted ones included. */
    removeStaged: (uploadId: string) => Promise<void>
    /** Removes all blobs of an upload, uncommitted blocks included. */
    removeAll: (uploadId: string) => Promise<void>
  }
  clock: Clock
  requestOverdueProcessing: RequestOverdueProcessing
  requestOverdueRenditions: RequestOverdueRenditions
  orphanAgeMs: number
  metrics: Pick<UploadMetrics, 'swept'>
  logger: Logger
}

const DAY_MS = 24 * 3_600_000
// Azure removes uncommitted blocks after a week.
const LOOK_BACK_MS = 8 * DAY_MS
const BATCH_SIZE = 500

const createdAt = (id: string): number => Number.parseInt(id.slice(0, 8), 16) * 1_000

/**
 * Repairs what a crash or an outage left: removes blobs without a record, requests processing and renditions again
 * that uploads have waited too long for, and removes the records of deleted uploads and expired archives. Several replicas can run it at once.
 */
export const makeSweep = ({
  uploads,
  archives,
  erasedIds,
  erasedTags,
  eraseUncompleted,
  blobs,
  clock,
  requestOverdueProcessing,
  requestOverdueRenditions,
  orphanAgeMs,
  metrics,
  logger,
}: Deps) => {
  /** The ids, as `list` yields them for a prefix, that are older than an upload in progress can be; in batches. */
  const oldIds = async function* (
    now: number,
    list: (prefix: string) => AsyncIterable<string>,
  ): AsyncGenerator<string[]> {
    const createdBefore = now - orphanAgeMs
    let batch: string[] = []
    for (const prefix of idPrefixesBetween(now - LOOK_BACK_MS, createdBefore))
      for await (const id of list(prefix)) {
        if (createdAt(id) >= createdBefore) continue
        batch.push(id)
        if (batch.length < BATCH_SIZE) continue
        yield batch
        batch = []
      }
    if (batch.length > 0) yield batch
  }

  const removeOrphans = async (now: number): Promise<number> => {
    let removed = 0
    for await (const ids of oldIds(now, blobs.idsWithBlobs)) {
      const existing = await uploads.findExisting(ids)
      const orphans = ids.filter((id) => !existing.has(id))
      for (const id of orphans) await blobs.removeAll(id)
      removed += orphans.length
    }
    return removed
  }

  /** Removes the blocks of direct uploads that can't be completed any more, or were completed long ago. */
  const removeStaged = async (now: number): Promise<number> => {
    let removed = 0
    for await (const ids of oldIds(now, blobs.idsWithStaged)) {
      for (const id of ids) await blobs.removeStaged(id)
      removed += ids.length
    }
    return removed
  }

  /** Removes what guests have sent by links that outlived their event. */
  const eraseLate = async (now: Date): Promise<void> => {
    const tags = new Set(await erasedTags.list())
    if (tags.size === 0) return
    await eraseUncompleted((uploadId) => tags.has(readTag(uploadId)))
    await erasedTags.removeExpired(now)
  }

  const removeDeleted = async (before: Date): Promise<number> => {
    let removed = 0
    for (;;) {
      const ids = await uploads.listDeleted(before, BATCH_SIZE)
      // The media worker has removed them, unless its message was lost.
      for (const id of ids) await blobs.removeAll(id)
      await uploads.removeDeleted(ids)
      removed += ids.length
      if (ids.length < BATCH_SIZE) return removed
    }
  }

  return async (): Promise<void> => {
    const now = clock().getTime()
    const processing = await requestOverdueProcessing()
    const requestedRenditions = await requestOverdueRenditions()
    // Before `removeDeleted`: the records of deleted uploads are needed to detect outdated archives.
    const removedArchives = await archives.removeExpired(new Date(now))
    const removedRecords = await removeDeleted(new Date(now - DAY_MS))
    const removedOrphans = await removeOrphans(now)
    const removedStaged = await removeStaged(now)
    await eraseLate(new Date(now))
    await erasedIds.removeOld()
    metrics.swept(removedOrphans + removedStaged)
    logger.info(
      { ...processing, requestedRenditions, removedRecords, removedArchives, removedOrphans, removedStaged },
      'sweep completed',
    )
  }
}
