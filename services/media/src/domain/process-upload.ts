import { join } from 'node:path'
import type { MessageData } from '@confetti/contracts'
import { inSpan, type Logger } from '@confetti/service-kit'
import type { Decode } from '../decode/decode.ts'
import { DecoderCrashError, UnprocessableMediaError } from '../decode/errors.ts'
import type { BlobStore } from './blob-store.ts'
import type { JobStore, Outcome, Result } from './job.ts'

interface Deps {
  jobs: Pick<JobStore, 'startAttempt' | 'refundAttempt' | 'saveOutcome'>
  blobs: BlobStore
  /** Runs `work` with a temporary folder on a disk that has space for a file of `bytes`. */
  withTempFolder: <T>(bytes: number, work: (folder: string) => Promise<T>) => Promise<T>
  decode: Decode
  maxAttempts: number
  logger: Logger
}

type Upload = MessageData<'upload.completed.v1'>
export type ProcessUpload = (upload: Upload) => Promise<Outcome['state'] | 'deleted'>

/**
 * Creates the derivatives of an upload and publishes its metadata, or the reason why it cannot be processed. If the
 * upload has been processed before, it publishes the stored outcome again. Throws if a later attempt may succeed.
 */
export const makeProcessUpload =
  (deps: Deps): ProcessUpload =>
  async (upload) => {
    const { jobs, blobs, logger } = deps
    const { uploadId } = upload
    const job = await jobs.startAttempt(uploadId)
    const outcome = job.outcome ?? (job.isDeleted ? undefined : await attempt(deps, upload, job.attempts))
    const saved = outcome && (await jobs.saveOutcome(uploadId, outcome).catch(refundAndThrow(deps, upload)))
    if (!saved) {
      // The upload has been deleted, perhaps just now. A worker that was killed after the deletion may have left blobs.
      await blobs.removeUpload(uploadId)
      return 'deleted'
    }
    logger.info({ outcome: outcome.state }, 'upload processed')
    return outcome.state
  }

const failed = (reason: string): Result => ({ state: 'failed', reason })
const failedPermanently = failed('The file could not be processed.')

const attempt = (deps: Deps, upload: Upload, attempts: number): Promise<Outcome> => {
  const { withTempFolder, blobs, maxAttempts } = deps
  return withTempFolder(upload.size, async (folder) => {
    const file = join(folder, 'original')
    const checksums = await inSpan('download', {}, () => blobs.downloadOriginal(upload.uploadId, file))
    // More attempts than the limit: an earlier one killed the worker.
    const result =
      attempts > maxAttempts
        ? failedPermanently
        : await decodeOriginal(deps, upload, { file, folder, attempts })
    return { ...result, checksums }
  }).catch((error: unknown) => {
    if (error instanceof DecoderCrashError) throw error
    return refundAndThrow(deps, upload)(error)
  })
}

const decodeOriginal = async (
  deps: Deps,
  upload: Upload,
  { file, folder, attempts }: { file: string; folder: string; attempts: number },
): Promise<Result> => {
  const { maxAttempts, logger } = deps
  try {
    return await createDerivatives(deps, upload, { file, folder })
  } catch (error) {
    if (error instanceof UnprocessableMediaError) {
      logger.info({ reason: error.message }, 'cannot process file')
      return failed(error.message)
    }
    // The crash may be due to the machine, so the file is tried again, up to the limit.
    if (error instanceof DecoderCrashError && attempts === maxAttempts) {
      logger.error({ err: error }, 'file failed permanently')
      return failedPermanently
    }
    throw error
  }
}

/** After an outage, which is no fault of the file, the attempt does not count, unless the refund fails as well. */
const refundAndThrow =
  ({ jobs, logger }: Deps, { uploadId }: Upload) =>
  async (error: unknown): Promise<never> => {
    await jobs
      .refundAttempt(uploadId)
      .catch((failure: unknown) => logger.warn({ err: failure }, 'failed to refund attempt'))
    throw error
  }

const createDerivatives = async (
  { blobs, decode }: Deps,
  { uploadId, contentType, size }: Upload,
  original: { file: string; folder: string },
): Promise<Result> => {
  const attributes = { 'confetti.content_type': contentType, 'confetti.bytes': size }
  const { metadata, ...derivatives } = await inSpan('decode', { attributes }, () =>
    decode({ ...original, contentType }),
  )
  await inSpan('store', {}, () => blobs.putDerivatives(uploadId, derivatives))
  return { state: 'done', metadata }
}
