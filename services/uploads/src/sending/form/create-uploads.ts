import type { IncomingMessage } from 'node:http'
import { maxUploadRequestBytes } from '@confetti/contracts'
import { AppError, toAppError, tooLarge, withUploadId, type Clock, type Logger } from '@confetti/service-kit'
import type { Config } from '../../config.ts'
import type { FindOpenEvent } from '../../events.ts'
import type { UploadMetrics } from '../../upload-metrics.ts'
import type { AddedUpload } from '../../upload.ts'
import type { AdmitUploads } from '../admission.ts'
import type { Sender } from '../sender.ts'
import { createBodyLength } from './body-length.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { readMultipart } from './read-multipart.ts'
import { makeReceiveFile, type RejectedFile } from './receive-file.ts'
import { discardFiles, makeReceiveForm, type ReceivedForm } from './receive-form.ts'
import type { Deadline, StagedBlob } from './staged-blob.ts'
import { makeStoreFile } from './store-file.ts'

interface Deps {
  config: Config
  blobs: { stage: (uploadId: string) => StagedBlob; removeOriginal: (uploadId: string) => Promise<void> }
  memoryBudget: MemoryBudget
  /** For the commits of one form, and for each other call to blob storage. */
  newCallDeadline: () => Deadline
  findOpenEvent: FindOpenEvent
  admitUploads: AdmitUploads
  newId: (eventId: string) => string
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
 * Adds the photos and videos of a guest's form to an event, each independently of the others. What it returns as stored is
 * durable: bytes in blob storage and a committed record. Throws if nothing was stored.
 */
export const createForms = ({
  config,
  blobs,
  memoryBudget,
  newCallDeadline,
  findOpenEvent,
  admitUploads,
  newId,
  clock,
  metrics,
  logger,
}: Deps) => {
  const receiveForm = makeReceiveForm({
    receiveFile: makeReceiveFile({ stage: blobs.stage, limits: config, newId }),
    findOpenEvent,
    limits: config,
  })
  const storeFile = makeStoreFile({
    findOpenEvent,
    admitUploads,
    removeOriginal: blobs.removeOriginal,
    clock,
    metrics,
    logger,
  })

  const storeFiles = async (
    { event, photoCredit, files }: ReceivedForm,
    sender: Sender,
    begunAt: Date,
  ): Promise<CreatedUploads> => {
    const stored: CreatedUploads['stored'] = []
    const rejected: RejectedFile[] = []
    const deadline = newCallDeadline()
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

  return async (request: IncomingMessage, sender: Sender): Promise<CreatedUploads> => {
    if (Number(request.headers['content-length']) > maxUploadRequestBytes(config))
      throw tooLarge('That is too much for one upload. Please send fewer files at once.')
    const bodyLength = createBodyLength(config)
    const parts = readMultipart(request, {
      checkLength: bodyLength.check,
      maxFileBytes: config.MAX_FILE_BYTES,
      maxFiles: config.MAX_FILES_PER_REQUEST,
      minRateWindowMs: config.IDLE_TIMEOUT_MS,
      maxDurationMs: config.MAX_UPLOAD_DURATION_MS,
    })
    const begunAt = clock()
    const release = await metrics.phase('admit', () => memoryBudget.acquire(config.ADMISSION_TIMEOUT_MS))
    try {
      const form = await metrics.phase('receive', () => receiveForm(parts, bodyLength.acceptFiles))
      return await storeFiles(form, sender, begunAt).finally(() => discardFiles(form.files))
    } finally {
      release()
    }
  }
}
