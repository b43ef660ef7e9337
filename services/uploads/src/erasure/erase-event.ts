import { setTimeout as sleep } from 'node:timers/promises'
import { earlierPeriods, hasTag, prefixOf, tagOf } from '@confetti/blob-storage'
import { newMessage } from '@confetti/messaging'
import { ticketLifeMs } from '../config.ts'
import type { Deps } from '../deps.ts'
import { CACHE_TTL_MS } from '../events.ts'
import { MAX_LINK_LIFE_MS } from '../sending/tickets.ts'

/** Removes something of an upload; false if some of it is left. */
type Remove = (uploadId: string) => Promise<boolean>

/** Removes what each of the ids has, unless that fails. Returns the ids of those that have nothing left. */
export const removeEach = async (ids: readonly string[], remove: Remove, atOnce = 1): Promise<string[]> => {
  const removed: string[] = []
  for (let start = 0; start < ids.length; start += atOnce)
    await Promise.all(
      ids.slice(start, start + atOnce).map(async (id) => {
        if (await remove(id)) removed.push(id)
      }),
    )
  return removed
}

/**
 * Creates the removal of uploads in batches: blobs first, then records. Uploads whose blobs can't be removed keep
 * their records, and are not tried again.
 */
export const createUploadRemoval = (uploads: Pick<Deps['uploads'], 'removeRecords'>, atOnce = 1) => {
  const left = new Set<string>()
  return {
    /** How many uploads are left. A list of what is to be removed has them, too. */
    leftCount: (): number => left.size,

    /** Removes those of the uploads that are not left from an earlier batch. */
    remove: async (
      listed: readonly string[],
      removeBlobs: Remove,
    ): Promise<{ tried: number; removed: number }> => {
      const ids = listed.filter((id) => !left.has(id))
      const removed = await removeEach(ids, removeBlobs, atOnce)
      await uploads.removeRecords(removed)
      for (const id of ids) if (!removed.includes(id)) left.add(id)
      return { tried: ids.length, removed: removed.length }
    },
  }
}

/**
 * Removes what guests have sent to deleted events, given their tags, without completing it, or completed by a call that has
 * written its record after the erasure. Returns the tags of which something is left. It lists the names of these events alone,
 * and those of earlier versions until the sweep has read them.
 */
export const createEraseUncompleted = ({
  config,
  uploads,
  blobs,
  unreadPeriods,
  erasedIds,
  publish,
  stopping,
  clock,
}: Deps) => {
  /** False if something is left. */
  const erase = async (uploadId: string): Promise<boolean> => {
    const eventId = (await uploads.findRecorded([uploadId])).get(uploadId)
    if (eventId !== undefined) {
      // Another event may have the same tag.
      if (!(await erasedIds.has(eventId))) return true
      // Media removes the blobs then, and the next run would not find the name of a record that is left.
      if (await uploads.hasWaiting(eventId)) return false
      await publish(newMessage('upload.deleted.v1', { uploadId, eventId }))
      await uploads.removeRecords([uploadId])
      if ((await uploads.findRecorded([uploadId])).has(uploadId)) return false
    }
    return blobs.removeAll(uploadId)
  }

  return async (tags: readonly string[]): Promise<string[]> => {
    const left = new Set<string>()
    const eraseEach = async (
      ids: AsyncIterable<string>,
      remove: (uploadId: string) => Promise<boolean>,
    ): Promise<void> => {
      for await (const id of ids) {
        const tag = tags.find((candidate) => hasTag(id, candidate))
        if (tag !== undefined && !(await remove(id))) left.add(tag)
      }
    }
    const now = clock().getTime()
    const earlier = earlierPeriods(now - ticketLifeMs(config), now).map(({ prefix }) => prefix)
    for (const prefix of [...tags.map(prefixOf), ...(await unreadPeriods.findPrefixes(earlier))]) {
      stopping.throwIfAborted()
      await eraseEach(blobs.idsWithBlobs(prefix), erase)
      await eraseEach(blobs.idsWithStaged(prefix), blobs.removeStaged)
    }
    return [...left]
  }
}
export type EraseUncompleted = ReturnType<typeof createEraseUncompleted>

// A database without a suitable index reads all uploads of the event for each batch.
const BATCH_SIZE = 500
// Few, so that the guests of other events wait less.
const UPLOADS_AT_ONCE = 2
const POLL_MS = 500
// Until then, requests that have found the event in a cache have written their records, or failed.
const SETTLE_MS = CACHE_TTL_MS + 10_000
// Shorter than the 30 minutes after which RabbitMQ takes a message back. `event.deleted` is published again every
// `ERASURE_TIMEOUT_MS` of events, and continues the erasure; on another replica it erases at the same time.
const MAX_RUN_MS = 8 * 60_000

/**
 * Erases all that this service has of a deleted event: records, blobs, archives, and what guests have sent and not
 * completed. It can be interrupted and repeated at any point; only when nothing is left does it report that. A run ends
 * after `MAX_RUN_MS`, so that other events get their turn. A message about an event that this process is erasing is
 * handled at once: the message of that run is handled again if the run fails.
 * Guests can use the links that they have for an hour: the sweep removes what they send then, and records that were written
 * later than `SETTLE_MS`.
 */
export const createEraseEvent = (
  {
    uploads,
    eventCopies,
    eventTotals,
    archives,
    blobs,
    lingeringLinks,
    ownLinks,
    publish,
    stopping,
    clock,
    logger,
  }: Deps,
  eraseUncompleted: EraseUncompleted,
) => {
  const logPart = (eventId: string, erased: number): void =>
    logger.info({ eventId, uploads: erased }, 'event partly erased, continues when requested again')

  /**
   * Tells media of each upload, and removes its blobs and its record. A record that has a message to be published waits for
   * that. Returns how many, or undefined if some are left at `deadline`. Those whose blobs can't be removed keep their records.
   * What media has stored meanwhile is removed by media, or is found among the names of the event.
   */
  const eraseUploads = async (eventId: string, deadline: number): Promise<number | undefined> => {
    let erased = 0
    const prefix = prefixOf(tagOf(eventId))
    const removal = createUploadRemoval(uploads, UPLOADS_AT_ONCE)
    for (;;) {
      stopping.throwIfAborted()
      const listed = await uploads.listOfEvent(eventId, BATCH_SIZE + removal.leftCount())
      const { tried, removed } = await removal.remove([...listed.keys()], async (uploadId) => {
        await publish(newMessage('upload.deleted.v1', { uploadId, eventId }))
        const files = listed.get(uploadId)
        // The names of earlier versions are not among those of the event.
        return files && uploadId.startsWith(prefix)
          ? blobs.removeFiles(uploadId, files)
          : blobs.removeAll(uploadId)
      })
      erased += removed
      if (tried === 0 && !(await uploads.hasWaiting(eventId))) return erased
      if (clock().getTime() >= deadline) {
        logPart(eventId, erased)
        return undefined
      }
      if (tried === 0) await sleep(POLL_MS, undefined, { signal: stopping })
    }
  }

  const waitUntil = async (time: number): Promise<void> => {
    for (let left = time - clock().getTime(); left > 0; left = time - clock().getTime())
      await sleep(Math.min(left, POLL_MS), undefined, { signal: stopping })
  }

  const removeBesideUploads = async (eventId: string): Promise<void> => {
    await archives.removeOfEvent(eventId, stopping)
    await ownLinks.removeOfEvent(eventId)
    await eventTotals.remove(eventId)
  }

  const run = async (eventId: string): Promise<void> => {
    const tag = tagOf(eventId)
    const deadline = clock().getTime() + MAX_RUN_MS
    await eventCopies.erase(eventId)
    // Replicas that have the event in their cache issue tickets for a moment.
    await lingeringLinks.add(tag, new Date(clock().getTime() + SETTLE_MS + MAX_LINK_LIFE_MS))
    await removeBesideUploads(eventId)
    const erasedFirst = await eraseUploads(eventId, deadline)
    if (erasedFirst === undefined) return
    logger.info({ eventId, uploads: erasedFirst }, 'uploads erased, waiting for requests in progress')
    await waitUntil(clock().getTime() + SETTLE_MS)
    await removeBesideUploads(eventId)
    const erasedLater = await eraseUploads(eventId, deadline)
    if (erasedLater === undefined) return
    const erased = erasedFirst + erasedLater
    const isUncompletedErased = (await eraseUncompleted([tag])).length === 0
    const isLeft = (await uploads.listOfEvent(eventId, 1)).size > 0 || (await uploads.hasWaiting(eventId))
    if (!isUncompletedErased || isLeft) {
      logPart(eventId, erased)
      return
    }
    await publish(newMessage('uploads.erased.v1', { eventId }))
    await publish(newMessage('event.erased.v1', { eventId, service: 'uploads' }))
    logger.info({ eventId, uploads: erased }, 'event erased')
  }

  const running = new Set<string>()
  return async (eventId: string): Promise<void> => {
    if (running.has(eventId)) return
    running.add(eventId)
    try {
      await run(eventId)
    } finally {
      running.delete(eventId)
    }
  }
}
