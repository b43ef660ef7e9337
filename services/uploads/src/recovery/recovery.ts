import { hasTag, readTime, tagOf } from '@confetti/blob-storage'
import { mediaTypes, type EventCopy } from '@confetti/contracts'
import { ticketLifeMs, type RecoveryConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { detectMediaType } from '../sending/media-type.ts'
import { areApart, MAX_LAG_MS } from './restored-database.ts'

const BATCH_SIZE = 500
// The guest's name is lost.
const CREDIT = 'Recovered'

/** What recovered uploads take over from their event. */
type RecoveryEvent = Pick<EventCopy, '_id' | 'save' | 'timeZone'>

/**
 * What can be said of a file without a record, or of an upload that its guest had taken back. `eventId` is absent if the
 * database has not exactly one such event.
 */
export interface LostUpload {
  uploadId: string
  eventId?: string
  outcome: 'recovered' | 'taken back' | 'duplicate' | 'event unknown' | 'not a photo or video' | 'failed'
}

export interface RecoveryRequest {
  isWriting: boolean
  since?: Date | undefined
  /** Whether files whose event is unknown are given up. They stay where they are. */
  isIgnoringUnknown?: boolean
}

/**
 * Makes records of photos and videos that only blob storage knows, after the database was restored from a backup. It reads
 * id, time and event from the name, and size, type and hash from the bytes. They wait for the approval of an organiser, as
 * it is not known which of them were hidden, or never completed. So do those that guests had taken back when the backup was
 * made: it is not known which of them they have restored since.
 */
export const createRecovery = ({
  config,
  uploads,
  listEvents,
  blobs,
  highWaterMark,
  clock,
  logger,
}: Pick<Deps, 'uploads' | 'highWaterMark' | 'clock' | 'logger'> & {
  config: RecoveryConfig
  listEvents: () => Promise<RecoveryEvent[]>
  blobs: Pick<
    Deps['blobs'],
    'idsWithBlobs' | 'readOriginal' | 'hashOriginal' | 'readHighWaterMark' | 'replaceHighWaterMark'
  >
}) => {
  /** The ids of uploads without a record that were sent between two times. */
  const findLost = async function* (since: number, until: number): AsyncGenerator<string> {
    const batch: string[] = []
    const findUnrecorded = async (): Promise<string[]> => {
      const recorded = await uploads.findRecorded(batch)
      return batch.splice(0).filter((id) => !recorded.has(id))
    }
    for await (const id of blobs.idsWithBlobs('')) {
      if (!/^[0-9a-f]{24}$/.test(id) || readTime(id) < since || readTime(id) > until) continue
      batch.push(id)
      if (batch.length === BATCH_SIZE) yield* await findUnrecorded()
    }
    yield* await findUnrecorded()
  }

  /** Whether an event has these bytes elsewhere, or has deleted them after they were sent. */
  const isDuplicate = async (eventId: string, sha256: string, sentAt: Date): Promise<boolean> => {
    for (const { uploadId, deletedAt } of await uploads.listByVerifiedHash(eventId, sha256)) {
      // What a guest sends again after its deletion is a new upload. A deletion after the backup is known by its missing bytes.
      if (deletedAt ? deletedAt >= sentAt : await blobs.readOriginal(uploadId)) return true
    }
    return false
  }

  const recover = async (
    uploadId: string,
    events: readonly (RecoveryEvent & { tag: string })[],
    isWriting: boolean,
  ): Promise<LostUpload | undefined> => {
    const original = await blobs.readOriginal(uploadId)
    if (!original) return undefined
    const [event, ...others] = events.filter(({ tag }) => hasTag(uploadId, tag))
    if (!event || others.length > 0) return { uploadId, outcome: 'event unknown' }
    const { _id: eventId, timeZone, save } = event
    const contentType = await detectMediaType(original.head)
    if (!contentType) return { uploadId, eventId, outcome: 'not a photo or video' }
    const sha256 = await blobs.hashOriginal(uploadId, original.etag)
    const sentAt = new Date(readTime(uploadId))
    if (await isDuplicate(eventId, sha256, sentAt)) return { uploadId, eventId, outcome: 'duplicate' }
    const upload = {
      _id: uploadId,
      eventId,
      photoCredit: CREDIT,
      originalName: `${uploadId}.${mediaTypes[contentType].extensions[0]}`,
      contentType,
      size: original.size,
      sha256,
      uploadedAt: sentAt,
      visibility: 'pending' as const,
      timeZone,
      ...(save && { save }),
    }
    if (isWriting) await uploads.add([upload])
    return { uploadId, eventId, outcome: 'recovered' }
  }

  const recoverTakenBack = async (
    { uploadId, eventId }: { uploadId: string; eventId: string },
    isWriting: boolean,
  ): Promise<LostUpload> => {
    if (isWriting) await uploads.undoTakeBack(uploadId)
    return { uploadId, eventId, outcome: 'taken back' }
  }

  /** What becomes of an upload, `failed` if `recovery` rejects. */
  const settle = (
    uploadId: string,
    recovery: Promise<LostUpload | undefined>,
  ): Promise<LostUpload | undefined> =>
    recovery.catch((error: unknown) => {
      logger.error({ err: error, uploadId }, 'an upload could not be recovered')
      return { uploadId, outcome: 'failed' }
    })

  /** Brings the times of database and container together. */
  const endRestore = async (database: Date | undefined, container: Date | undefined): Promise<void> => {
    const at = new Date(Math.max(database?.getTime() ?? 0, container?.getTime() ?? 0))
    await highWaterMark.replace(database, { at, containerAt: container })
    await blobs.replaceHighWaterMark(container, at)
  }

  /**
   * Yields what becomes of each file without a record that was sent since a ticket's life before the database's time, or an
   * earlier one. Not of what guests may still complete themselves, under their own names. Writes records only if asked to;
   * then the database does not count as restored any more, unless something has failed, or belongs to an event that is not
   * known, perhaps not yet: a repetition tries that again.
   */
  return async function* ({
    isWriting,
    since,
    isIgnoringUnknown = false,
  }: RecoveryRequest): AsyncGenerator<LostUpload> {
    const container = await blobs.readHighWaterMark()
    const database = await highWaterMark.read()
    const isRestored = areApart(database, container)
    const isBehind = isRestored && container !== undefined && container > (database?.at ?? new Date(0))
    // An id is as old as its ticket.
    const begin = (database?.at.getTime() ?? 0) - ticketLifeMs(config)
    // While the database is behind, the container's time stands still. It was written some time before the loss: a minute, or
    // longer if writes had failed.
    const lostUntil = isBehind ? container.getTime() + MAX_LAG_MS : 0
    const until = Math.max(lostUntil, clock().getTime() - ticketLifeMs(config))
    const events = (await listEvents()).map((event) => ({ ...event, tag: tagOf(event._id) }))
    const results = async function* () {
      for await (const uploadId of findLost(Math.min(begin, since?.getTime() ?? begin), until))
        yield await settle(uploadId, recover(uploadId, events, isWriting))
      if (!isBehind) return
      // Not only up to the database's time: a dump reads that first, and uploads for minutes after it.
      for (const upload of await uploads.listTakenBackAt(container, clock()))
        yield await settle(upload.uploadId, recoverTakenBack(upload, isWriting))
    }
    let isComplete = true
    for await (const result of results()) {
      if (!result) continue
      if (result.outcome === 'failed' || (result.outcome === 'event unknown' && !isIgnoringUnknown))
        isComplete = false
      yield result
    }
    if (isWriting && isRestored && isComplete) await endRestore(database?.at, container)
  }
}
