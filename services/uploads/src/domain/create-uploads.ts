import { AppError, toAppError, withUploadId, type Clock, type Logger } from '@confetti/service-kit'
import type { MemoryBudget } from '../ingest/memory-budget.ts'
import type { FormPart } from '../ingest/read-multipart.ts'
import type { RejectedFile } from '../ingest/receive-file.ts'
import { discardFiles, type ReceivedForm, type ReceiveForm } from '../ingest/receive-form.ts'
import type { Deadline } from '../ingest/staged-blob.ts'
import type { StoreFile } from '../ingest/store-file.ts'
import type { UploadMetrics } from '../upload-metrics.ts'
import type { Sender } from './sender.ts'
import type { AddedUpload } from './upload.ts'

interface Deps {
  memoryBudget: MemoryBudget
  admissionTimeoutMs: number
  receiveForm: ReceiveForm
  storeFile: StoreFile
  /** The deadline for the commits of one form, counted from now. */
  newDeadline: () => Deadline
  clock: Clock
  metrics: UploadMetrics
  logger: Logger
}

export interface CreatedUploads {
  stored: (AddedUpload & { originalName: string })[]
  rejected: RejectedFile[]
}

/** The error of a form of which no file was stored: that of the first file, with all of them in `details`. */
const allRejected = (rejected: readonly RejectedFile[]): AppError => {
  const first = rejected[0]?.error ?? toAppError(undefined)
  return new AppError(first.kind, first.message, {
    code: first.code,
    cause: first.cause,
    ...(first.retryAfterSeconds !== undefined && { retryAfterSeconds: first.retryAfterSeconds }),
    details: rejected.map(({ originalName, error }) => ({
      field: originalName,
      message: error.message,
      code: error.code,
    })),
  })
}

/**
 * Adds a guest's photos and videos to an event, each independently of the others. What it returns as stored is
 * durable: bytes in blob storage and a committed record. Throws if nothing was stored.
 */
export const makeCreateUploads = ({
  memoryBudget,
  admissionTimeoutMs,
  receiveForm,
  storeFile,
  newDeadline,
  clock,
  metrics,
  logger,
}: Deps) => {
  const storeFiles = async (
    { event, photoCredit, files }: ReceivedForm,
    sender: Sender,
    begunAt: Date,
  ): Promise<CreatedUploads> => {
    const stored: CreatedUploads['stored'] = []
    const rejected: RejectedFile[] = []
    const deadline = newDeadline()
    // If a dependency is unavailable, the next file would fail as well while the guest waits.
    let unavailable: AppError | undefined
    const reject = (originalName: string, error: AppError): void => {
      rejected.push({ originalName, error })
      metrics.rejected(error.code, 'multipart')
      logger.info({ code: error.code }, 'file rejected')
    }
    for (const file of files) {
      if ('error' in file) {
        reject(file.originalName, file.error)
        continue
      }
      if (unavailable) {
        reject(file.originalName, unavailable)
        continue
      }
      try {
        const outcome = await withUploadId(file._id, () =>
          storeFile(file, { event, photoCredit, sender, begunAt, deadline }),
        )
        stored.push({ ...outcome, originalName: file.originalName })
        metrics.stored(outcome, 'multipart')
        // The id in the answer, which for a duplicate is that of the existing upload.
        const { upload, duplicate } = outcome
        logger.info({ uploadId: upload._id, size: upload.size, duplicate }, 'file stored')
      } catch (thrown) {
        const error = toAppError(thrown)
        if (error.status >= 500) logger.error({ err: thrown, uploadId: file._id }, 'failed to store file')
        if (error.kind === 'unavailable') unavailable = error
        reject(file.originalName, error)
      }
    }
    if (stored.length === 0) throw allRejected(rejected)
    return { stored, rejected }
  }

  return async (
    sender: Sender,
    parts: AsyncIterable<FormPart>,
    acceptFiles: () => void,
  ): Promise<CreatedUploads> => {
    const begunAt = clock()
    const release = await metrics.phase('admit', () => memoryBudget.acquire(admissionTimeoutMs))
    try {
      const form = await metrics.phase('receive', () => receiveForm(parts, acceptFiles))
      return await storeFiles(form, sender, begunAt).finally(() => discardFiles(form.files))
    } finally {
      release()
    }
  }
}
export type CreateUploads = ReturnType<typeof makeCreateUploads>
