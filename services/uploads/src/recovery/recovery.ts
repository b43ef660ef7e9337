import { hasTag, readTime, tagOf } from '@confetti/blob-storage'
import { mediaTypes } from '@confetti/contracts'
import { ticketLifeMs, type RecoveryConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { detectMediaType } from '../sending/media-type.ts'

const BATCH_SIZE = 500
// The guest's name is lost.
const CREDIT = 'Recovered'

/** What can be said of a file without a record. `eventId` is absent if the database has not exactly one such event. */
export interface LostUpload {
  uploadId: string
  eventId?: string
  outcome: 'recovered' | 'duplicate' | 'event unknown' | 'not a photo or video'
}

export interface RecoveryRequest {
  isWriting: boolean
  since?: Date | undefined
}

/**
 * Makes records of photos and videos that only blob storage knows, after the database was restored from a backup. It reads
 * id, time and event from the name, and size, type and hash from the bytes. They wait for the approval of an organiser, as
 * it is not known which of them were hidden, or never completed.
 */
export const createRecovery = ({
  config,
  uploads,
  eventCopies,
  blobs,
  highWaterMark,
}: Pick<Deps, 'uploads' | 'eventCopies' | 'highWaterMark'> & {
  config: RecoveryConfig
  blobs: Pick<Deps['blobs'], 'idsWithBlobs' | 'readOriginal' | 'hashOriginal' | 'readHighWaterMark'>
}) => {
  /** The ids of uploads without a record that were sent since a time. */
  const findLost = async function* (since: number): AsyncGenerator<string> {
    const batch: string[] = []
    const findUnrecorded = async (): Promise<string[]> => {
      const recorded = await uploads.findRecorded(batch)
      return batch.splice(0).filter((id) => !recorded.has(id))
    }
    for await (const id of blobs.idsWithBlobs('')) {
      if (!/^[0-9a-f]{24}$/.test(id) || readTime(id) < since) continue
      batch.push(id)
      if (batch.length === BATCH_SIZE) yield* await findUnrecorded()
    }
    yield* await findUnrecorded()
  }

  const recover = async (
    uploadId: string,
    eventIds: readonly string[],
    isWriting: boolean,
  ): Promise<LostUpload | undefined> => {
    const original = await blobs.readOriginal(uploadId)
    if (!original) return undefined
    const [eventId, ...others] = eventIds.filter((id) => hasTag(uploadId, tagOf(id)))
    if (!eventId || others.length > 0) return { uploadId, outcome: 'event unknown' }
    const contentType = await detectMediaType(original.head)
    if (!contentType) return { uploadId, eventId, outcome: 'not a photo or video' }
    const sha256 = await blobs.hashOriginal(uploadId)
    if (await uploads.hasBytes(eventId, sha256)) return { uploadId, eventId, outcome: 'duplicate' }
    const upload = {
      _id: uploadId,
      eventId,
      photoCredit: CREDIT,
      originalName: `${uploadId}.${mediaTypes[contentType].extensions[0]}`,
      contentType,
      size: original.size,
      sha256,
      uploadedAt: new Date(readTime(uploadId)),
      visibility: 'pending' as const,
    }
    if (isWriting) await uploads.add([upload])
    return { uploadId, eventId, outcome: 'recovered' }
  }

  /**
   * Yields what becomes of each file without a record that was sent since a time: unless given, since a ticket's life before
   * the database's time. Writes records only if asked to; then the database is not behind any more.
   */
  return async function* ({ isWriting, since }: RecoveryRequest): AsyncGenerator<LostUpload> {
    const container = await blobs.readHighWaterMark()
    const database = await highWaterMark.read()
    // An id is as old as its ticket.
    const begin = since?.getTime() ?? (database?.getTime() ?? 0) - ticketLifeMs(config)
    const eventIds = await eventCopies.listIds()
    for await (const uploadId of findLost(begin)) {
      const result = await recover(uploadId, eventIds, isWriting)
      if (result) yield result
    }
    if (isWriting && container && (!database || container > database))
      await highWaterMark.replace(database, container)
  }
}
