import { AppError, toAppError, withUploadId, type Logger } from '@confetti/service-kit'
import type { FormPart } from '../multipart/read-multipart.ts'
import type { TimeLimit } from '../storage/staged-blob.ts'
import type { UploadMetrics } from '../upload-metrics.ts'
import type { BytesInFlight } from './bytes-in-flight.ts'
import type { KeepFile, KeptFile } from './keep-file.ts'
import type { RefusedFile } from './receive-file.ts'
import { discardFiles, type ReceiveForm } from './receive-form.ts'

interface Deps {
  room: BytesInFlight
  admissionWaitMs: number
  receiveForm: ReceiveForm
  keepFile: KeepFile
  /** A time limit for the commits of one form, from now. */
  newLimit: () => TimeLimit
  metrics: UploadMetrics
  logger: Logger
}

export interface CreatedUploads {
  kept: (KeptFile & { originalName: string })[]
  refused: RefusedFile[]
}

/** What the guest is told when nothing of what was sent could be kept: the first file's refusal, and all of them. */
const allRefused = (refused: readonly RefusedFile[]): AppError => {
  const first = refused[0]?.refusal ?? toAppError(undefined)
  return new AppError(first.kind, first.message, {
    code: first.code,
    cause: first.cause,
    ...(first.retryAfterSeconds !== undefined && { retryAfterSeconds: first.retryAfterSeconds }),
    details: refused.map(({ originalName, refusal }) => ({ field: originalName, message: refusal.message })),
  })
}

/**
 * Takes a guest's photos and videos into an event, each for itself. What it returns as kept is safe: bytes in
 * blob storage and a committed record. Throws when nothing was kept.
 */
export const makeCreateUploads = ({
  room,
  admissionWaitMs,
  receiveForm,
  keepFile,
  newLimit,
  metrics,
  logger,
}: Deps) => {
  const takeForm = async (parts: AsyncIterable<FormPart>): Promise<CreatedUploads> => {
    const { event, photoCredit, files } = await metrics.phase('receive', () => receiveForm(parts))
    const kept: CreatedUploads['kept'] = []
    const refused: RefusedFile[] = []
    const limit = newLimit()
    // One that is away now is so for the next file, too, and the guest waits.
    let away: AppError | undefined
    const refuse = (originalName: string, refusal: AppError): void => {
      refused.push({ originalName, refusal })
      metrics.refused(refusal.code)
      logger.info({ code: refusal.code }, 'file refused')
    }
    try {
      for (const file of files) {
        if ('refusal' in file) {
          refuse(file.originalName, file.refusal)
          continue
        }
        if (away) {
          refuse(file.originalName, away)
          continue
        }
        try {
          const outcome = await withUploadId(file._id, () => keepFile(file, { event, photoCredit, limit }))
          kept.push({ ...outcome, originalName: file.originalName })
          metrics.kept(outcome)
          // Under the id that the guest is told, which for a duplicate is not the file's own.
          const { upload, duplicate } = outcome
          logger.info({ uploadId: upload._id, size: upload.size, duplicate }, 'file kept')
        } catch (error) {
          logger.error({ err: error, uploadId: file._id }, 'file not kept')
          const refusal = toAppError(error)
          if (refusal.kind === 'unavailable') away = refusal
          refuse(file.originalName, refusal)
        }
      }
    } finally {
      discardFiles(files)
    }
    if (kept.length === 0) throw allRefused(refused)
    return { kept, refused }
  }

  return async (parts: AsyncIterable<FormPart>): Promise<CreatedUploads> => {
    const leave = await metrics.phase('admit', () => room.admit(admissionWaitMs))
    try {
      return await takeForm(parts)
    } finally {
      leave()
    }
  }
}
export type CreateUploads = ReturnType<typeof makeCreateUploads>
