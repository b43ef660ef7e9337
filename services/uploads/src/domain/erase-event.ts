import { setTimeout as sleep } from 'node:timers/promises'
import { mayBelongTo } from '@confetti/blob-storage'
import type { Clock, Logger } from '@confetti/service-kit'
import type { ArchiveStore } from '../archive/archive.ts'
import { CACHE_TTL_MS, type EventStore } from './event.ts'
import { idPrefixesBetween } from './id-prefixes.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  events: Pick<EventStore, 'erase'>
  uploads: Pick<
    UploadStore,
    'listExistingIds' | 'markAllDeleted' | 'listDeletedIds' | 'removeDeleted' | 'findExisting'
  >
  archives: Pick<ArchiveStore, 'removeOfEvent'>
  blobs: {
    /** Removes the original and the derivatives of an upload. */
    removeCommitted: (uploadId: string) => Promise<void>
    idsWithBlobs: (prefix: string) => AsyncIterable<string>
    idsWithStaged: (prefix: string) => AsyncIterable<string>
    removeAll: (uploadId: string) => Promise<void>
    removeStaged: (uploadId: string) => Promise<void>
  }
  /** Publishes `uploads.erased`; rejects unless the broker has confirmed it. */
  reportErased: (eventId: string) => Promise<void>
  /** For how long after its ticket a direct upload may have left something. */
  ticketLifeMs: number
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
// Longer than the messages of an upload wait to be published while the broker is connected.
const MAX_WAIT_MS = 5 * 60_000

/**
 * Erases all that this service has of a deleted event: records, blobs, archives, and what guests have sent and not
 * completed. It can be interrupted and repeated at any point; only when nothing is left does it report that.
 */
export const makeEraseEvent = ({
  events,
  uploads,
  archives,
  blobs,
  reportErased,
  ticketLifeMs,
  clock,
  signal,
  logger,
}: Deps) => {
  const forEach = async (ids: readonly string[], work: (id: string) => Promise<void>): Promise<void> => {
    for (let start = 0; start < ids.length; start += BLOBS_AT_ONCE)
      await Promise.all(ids.slice(start, start + BLOBS_AT_ONCE).map(work))
  }

  /** Marks uploads as deleted, which publishes it to media, and removes those whose messages have been published. */
  const eraseUploads = async (eventId: string): Promise<number> => {
    const deadline = Date.now() + MAX_WAIT_MS
    let erased = 0
    for (;;) {
      signal.throwIfAborted()
      const existing = await uploads.listExistingIds(eventId, BATCH_SIZE)
      await uploads.markAllDeleted(eventId, existing, clock())
      const { published, waiting } = await uploads.listDeletedIds(eventId, BATCH_SIZE)
      await forEach(published, blobs.removeCommitted)
      await uploads.removeDeleted(published)
      erased += published.length
      if (existing.length === 0 && published.length === 0) {
        if (waiting === 0) return erased
        if (Date.now() > deadline) throw new Error('Messages about deleted uploads are not published')
        await sleep(POLL_MS, undefined, { signal })
      }
    }
  }

  /** Removes what guests have sent straight to blob storage for the event without completing it. */
  const eraseUncompleted = async (eventId: string): Promise<void> => {
    const now = clock().getTime()
    for (const prefix of idPrefixesBetween(now - ticketLifeMs, now)) {
      for await (const id of blobs.idsWithBlobs(prefix))
        if (mayBelongTo(eventId, id) && (await isOrphan(id))) await blobs.removeAll(id)
      for await (const id of blobs.idsWithStaged(prefix))
        if (mayBelongTo(eventId, id)) await blobs.removeStaged(id)
    }
  }
  const isOrphan = async (id: string): Promise<boolean> => !(await uploads.findExisting([id])).has(id)

  return async (eventId: string): Promise<void> => {
    await events.erase(eventId)
    await archives.removeOfEvent(eventId)
    const erasedFirst = await eraseUploads(eventId)
    await sleep(SETTLE_MS, undefined, { signal })
    await archives.removeOfEvent(eventId)
    const erasedLater = await eraseUploads(eventId)
    await eraseUncompleted(eventId)
    await reportErased(eventId)
    logger.info({ eventId, uploads: erasedFirst + erasedLater }, 'event erased')
  }
}
export type EraseEvent = ReturnType<typeof makeEraseEvent>
