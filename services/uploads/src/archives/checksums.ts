import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import type { ArchivableUpload } from '../upload.ts'

/** The request must be answered before the gateway gives up. */
const MAX_DURATION_MS = 10_000
/** Storing a result takes longer than reading a photo. */
const FILES_AT_ONCE = 10
/** How many events' checksums are computed at the same time. */
const PREPARATIONS_AT_ONCE = 2
const RETRY_AFTER_SECONDS = 2

type WithChecksum = ArchivableUpload & { crc32: number }

const preparing = (done: number, files: number): AppError =>
  new AppError('unavailable', `The download is being prepared: ${done} of ${files} files are ready.`, {
    code: 'archive_preparing',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/**
 * Computes the CRC-32 of uploads that have none: media workers have computed it since version 0.2, once they have read
 * the file. Reads originals for some seconds and stores the results; throws `unavailable` with the code
 * `archive_preparing` if that was not enough, or while those of this event, or of two others, are being computed for another
 * call. Files that are being read then go on in the background.
 */
export const createChecksums = ({ uploads, blobs, clock, logger }: Deps) => {
  /** The events whose checksums are being computed. */
  const busyEvents = new Set<string>()

  /** Begins no further file after `MAX_DURATION_MS`. Throws the first error when all that has begun has ended. */
  const computeMissing = async (
    missing: readonly ArchivableUpload[],
    computed: Map<string, number>,
  ): Promise<void> => {
    const endsAt = clock().getTime() + MAX_DURATION_MS
    const remaining = missing.values()
    const results = await Promise.allSettled(
      Array.from({ length: FILES_AT_ONCE }, async () => {
        for (const { _id, size } of remaining) {
          const crc32 = await blobs.computeCrc32(_id, size)
          await uploads.setCrc32(_id, crc32)
          computed.set(_id, crc32)
          if (clock().getTime() >= endsAt) return
        }
      }),
    )
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  const computeForSomeTime = async (
    eventId: string,
    missing: readonly ArchivableUpload[],
  ): Promise<Map<string, number>> => {
    const computed = new Map<string, number>()
    busyEvents.add(eventId)
    const work = computeMissing(missing, computed).finally(() => {
      busyEvents.delete(eventId)
    })
    work.catch((error: unknown) => logger.warn({ err: error }, 'failed to compute checksums'))
    await Promise.race([work, sleep(MAX_DURATION_MS, undefined, { ref: false })])
    return computed
  }

  return async (eventId: string, selected: readonly ArchivableUpload[]): Promise<WithChecksum[]> => {
    const missing = selected.filter(({ crc32 }) => crc32 === undefined)
    const isBusy = busyEvents.has(eventId) || busyEvents.size >= PREPARATIONS_AT_ONCE
    if (missing.length > 0 && isBusy) throw preparing(selected.length - missing.length, selected.length)
    const computed =
      missing.length > 0 ? await computeForSomeTime(eventId, missing) : new Map<string, number>()
    const ready = selected.flatMap((upload) => {
      const crc32 = upload.crc32 ?? computed.get(upload._id)
      return crc32 === undefined ? [] : { ...upload, crc32 }
    })
    if (ready.length < selected.length) throw preparing(ready.length, selected.length)
    return ready
  }
}
