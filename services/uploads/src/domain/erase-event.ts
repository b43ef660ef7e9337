import { setTimeout as sleep } from 'node:timers/promises'
import { readTag, tagOf } from '@confetti/blob-storage'
import type { Clock, Logger } from '@confetti/service-kit'
import type { ArchiveStore } from '../archive/archive.ts'
import type { EraseUncompleted } from './erase-uncompleted.ts'
import type { ErasedTags } from './erased-tags.ts'
import { CACHE_TTL_MS, type EventStore } from './event.ts'
import { MAX_LINK_LIFE_MS } from './issue-ticket.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  events: Pick<EventStore, 'erase'>
  uploads: Pick<UploadStore, 'listExistingIds' | 'markAllDeleted' | 'listDeletedIds' | 'removeDeleted'>
  archives: Pick<ArchiveStore, 'removeOfEvent'>
  blobs: {
    /** Removes the original and the derivatives of an upload. */
    removeCommitted: (uploadId: string) => Promise<void>
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
// Longer than the messages of an upload wait to be published while the broker is connected.
const MAX_WAIT_MS = 5 * 60_000

/**
 * Erases all that this service has of a deleted event: records, blobs, archives, and what guests have sent and not
 * completed. It can be interrupted and repeated at any point; only when nothing is left does it report that.
 * Guests can use the links that they have for an hour: the sweep removes what they send then.
 */
export const makeEraseEvent = ({
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

  return async (eventId: string): Promise<void> => {
    const tag = tagOf(eventId)
    await events.erase(eventId)
    // Replicas that have the event in their cache issue tickets for a moment.
    await erasedTags.add(tag, new Date(clock().getTime() + SETTLE_MS + MAX_LINK_LIFE_MS))
    await archives.removeOfEvent(eventId)
    const erasedFirst = await eraseUploads(eventId)
    await sleep(SETTLE_MS, undefined, { signal })
    await archives.removeOfEvent(eventId)
    const erasedLater = await eraseUploads(eventId)
    await eraseUncompleted((uploadId) => readTag(uploadId) === tag)
    await reportErased(eventId)
    logger.info({ eventId, uploads: erasedFirst + erasedLater }, 'event erased')
  }
}
export type EraseEvent = ReturnType<typeof makeEraseEvent>
