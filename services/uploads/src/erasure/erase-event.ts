import { setTimeout as sleep } from 'node:timers/promises'
import { readTag, tagOf } from '@confetti/blob-storage'
import type { Clock, Logger } from '@confetti/service-kit'
import type { ArchiveStore } from '../archives/archive.ts'
import type { EraseUncompleted } from './uncompleted.ts'
import type { ErasedTags } from './uncompleted.ts'
import { CACHE_TTL_MS, type EventStore } from '../events.ts'
import { MAX_LINK_LIFE_MS } from '../sending/tickets.ts'
import { createUploadRemoval } from './removal.ts'
import type { UploadStore } from '../upload.ts'

interface Deps {
  events: Pick<EventStore, 'erase'>
  uploads: Pick<UploadStore, 'listExistingIds' | 'markAllDeleted' | 'listDeletedIds' | 'removeDeleted'>
  archives: Pick<ArchiveStore, 'removeOfEvent'>
  blobs: {
    /** Removes the original and the derivatives of an upload; false if one is left. */
    removeCommitted: (uploadId: string) => Promise<boolean>
  }
  erasedTags: Pick<ErasedTags, 'add'>
  eraseUncompleted: EraseUncompleted
  /** Publishes `uploads.erased`; rejects unless the broker has confirmed it. */
  reportErased: (eventId: string) => Promise<void>
  clock: Clock
  /** Aborted when the service stops: the message is then handled again. */
  signal: AbortSignal
  logger: Logger
}

const BATCH_SIZE = 50
// Small, so that the guests of other events do not notice.
const BLOBS_AT_ONCE = 8
const POLL_MS = 500
// Until then, requests that have found the event in a cache have written their records, or failed.
const SETTLE_MS = CACHE_TTL_MS + 10_000
// Shorter than `ERASURE_TIMEOUT_MS` of events, after which `event.deleted` is published again and continues the erasure,
// and than the 30 minutes after which RabbitMQ takes a message back.
const MAX_RUN_MS = 8 * 60_000

/**
 * Erases all that this service has of a deleted event: records, blobs, archives, and what guests have sent and not
 * completed. It can be interrupted and repeated at any point; only when nothing is left does it report that. A run ends
 * after `MAX_RUN_MS`, so that other events get their turn. A message about an event that this process is erasing is
 * handled at once: the message of that run is handled again if the run fails.
 * Guests can use the links that they have for an hour: the sweep removes what they send then.
 */
export const createEraseEvent = ({
  events,
  uploads,
  archives,
  blobs,
  erasedTags,
  eraseUncompleted,
  reportErased,
  clock,
  signal,
  logger,
}: Deps) => {
  const logPart = (eventId: string, erased: number): void =>
    logger.info({ eventId, uploads: erased }, 'event partly erased, continues when requested again')

  /**
   * Marks uploads as deleted, which publishes it to media, and removes those whose messages have been published. Returns
   * how many, or undefined if some are left at `deadline`. Those whose blobs can't be removed keep their records.
   */
  const eraseUploads = async (eventId: string, deadline: number): Promise<number | undefined> => {
    let erased = 0
    const removal = createUploadRemoval({
      uploads,
      removeBlobs: blobs.removeCommitted,
      atOnce: BLOBS_AT_ONCE,
    })
    for (;;) {
      signal.throwIfAborted()
      const existing = await uploads.listExistingIds(eventId, BATCH_SIZE)
      await uploads.markAllDeleted(eventId, existing, clock())
      const { published: listed, waiting } = await uploads.listDeletedIds(
        eventId,
        BATCH_SIZE + removal.leftCount(),
      )
      const { tried, removed } = await removal.remove(listed)
      erased += removed
      const isIdle = existing.length === 0 && tried === 0
      if (isIdle && waiting === 0) return erased
      if (clock().getTime() >= deadline) {
        logPart(eventId, erased)
        return undefined
      }
      if (isIdle) await sleep(POLL_MS, undefined, { signal })
    }
  }

  const waitUntil = async (time: number): Promise<void> => {
    for (let left = time - clock().getTime(); left > 0; left = time - clock().getTime())
      await sleep(Math.min(left, POLL_MS), undefined, { signal })
  }

  const run = async (eventId: string): Promise<void> => {
    const tag = tagOf(eventId)
    const deadline = clock().getTime() + MAX_RUN_MS
    await events.erase(eventId)
    // Replicas that have the event in their cache issue tickets for a moment.
    await erasedTags.add(tag, new Date(clock().getTime() + SETTLE_MS + MAX_LINK_LIFE_MS))
    await archives.removeOfEvent(eventId)
    const erasedFirst = await eraseUploads(eventId, deadline)
    if (erasedFirst === undefined) return
    logger.info({ eventId, uploads: erasedFirst }, 'uploads erased, waiting for requests in progress')
    await waitUntil(clock().getTime() + SETTLE_MS)
    await archives.removeOfEvent(eventId)
    const erasedLater = await eraseUploads(eventId, deadline)
    if (erasedLater === undefined) return
    const erased = erasedFirst + erasedLater
    const isUncompletedErased = await eraseUncompleted((uploadId) => readTag(uploadId) === tag)
    const { published, waiting } = await uploads.listDeletedIds(eventId, 1)
    if (!isUncompletedErased || published.length + waiting > 0) {
      logPart(eventId, erased)
      return
    }
    await reportErased(eventId)
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
