import { AppError, type Clock } from '@confetti/service-kit'
import type { ArchivableUpload, UploadStore } from '../domain/upload.ts'

/** The request must be answered before the gateway gives up; what has been computed by then is stored. */
const MAX_DURATION_MS = 10_000
/** Storing a result takes longer than reading a photo. */
const FILES_AT_ONCE = 10
const RETRY_AFTER_SECONDS = 2

interface Deps {
  uploads: Pick<UploadStore, 'setCrc32'>
  blobs: {
    /** Reads an original and returns its CRC-32. */
    computeCrc32: (uploadId: string) => Promise<number>
  }
  clock: Clock
}

type WithChecksum = ArchivableUpload & { crc32: number }

const preparing = (done: number, files: number): AppError =>
  new AppError('unavailable', `The download is being prepared: ${done} of ${files} files are ready.`, {
    code: 'archive_preparing',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/**
 * Computes the CRC-32 of uploads that have none: media workers have computed it since version 0.2, once they have read
 * the file. Reads originals for some seconds and stores the results; throws `unavailable` with the code
 * `archive_preparing` if that was not enough, or if another call is doing it already.
 */
export const makeCompleteChecksums = ({ uploads, blobs, clock }: Deps) => {
  let isBusy = false

  const compute = async (upload: ArchivableUpload): Promise<number> => {
    const crc32 = await blobs.computeCrc32(upload._id)
    await uploads.setCrc32(upload._id, crc32)
    return crc32
  }

  const computeMissing = async (missing: readonly ArchivableUpload[]): Promise<Map<string, number>> => {
    const endsAt = clock().getTime() + MAX_DURATION_MS
    const computed = new Map<string, number>()
    const remaining = missing.values()
    await Promise.all(
      Array.from({ length: FILES_AT_ONCE }, async () => {
        for (const upload of remaining) {
          computed.set(upload._id, await compute(upload))
          if (clock().getTime() >= endsAt) return
        }
      }),
    )
    return computed
  }

  const computeAlone = (missing: readonly ArchivableUpload[]): Promise<Map<string, number>> => {
    isBusy = true
    return computeMissing(missing).finally(() => {
      isBusy = false
    })
  }

  return async (selected: readonly ArchivableUpload[]): Promise<WithChecksum[]> => {
    const missing = selected.filter(({ crc32 }) => crc32 === undefined)
    if (missing.length > 0 && isBusy) throw preparing(selected.length - missing.length, selected.length)
    const computed = missing.length > 0 ? await computeAlone(missing) : new Map<string, number>()
    const ready = selected.flatMap((upload) => {
      const crc32 = upload.crc32 ?? computed.get(upload._id)
      return crc32 === undefined ? [] : { ...upload, crc32 }
    })
    if (ready.length < selected.length) throw preparing(ready.length, selected.length)
    return ready
  }
}
export type CompleteChecksums = ReturnType<typeof makeCompleteChecksums>
