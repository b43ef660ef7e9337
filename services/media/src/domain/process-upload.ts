import { join } from 'node:path'
import type { MessageData } from '@confetti/contracts'
import { inSpan, type Logger } from '@confetti/service-kit'
import type { Decode } from '../decode/decode.ts'
import { DecoderDied, MediaProblem } from '../decode/media-problem.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import type { JobStore, Outcome } from '../storage/job-store.ts'
import type { Workspace } from '../storage/workspace.ts'

interface Deps {
  jobs: JobStore
  blobs: BlobStore
  workspace: Workspace
  decode: Decode
  maxAttempts: number
  /** There is something to tell: the relay need not wait for its patrol. */
  announce: () => void
  logger: Logger
}

type Upload = MessageData<'upload.completed.v1'>
export type ProcessUpload = (upload: Upload) => Promise<Outcome['state'] | 'deleted'>

/**
 * Makes thumbnail and preview of an upload, and tells its measures, or why there will be none. Told again of an
 * upload that it has settled, it tells the outcome again. Throws when a later attempt may do better.
 */
export const makeProcessUpload =
  (deps: Deps): ProcessUpload =>
  async (upload) => {
    const { jobs, blobs, announce, logger } = deps
    const job = await jobs.begin(upload.uploadId)
    const outcome = job.outcome ?? (job.deleted ? undefined : await attempt(deps, upload, job.attempts))
    const kept = outcome && (await jobs.settle(upload.uploadId, outcome).catch(givingBack(deps, upload)))
    if (!kept) {
      // Deleted, perhaps in this moment; a worker killed after its deletion may have left derivatives, too.
      await blobs.removeUpload(upload.uploadId)
      return 'deleted'
    }
    announce()
    logger.info({ outcome: outcome.state }, 'processed')
    return outcome.state
  }

const failed = (reason: string): Outcome => ({ state: 'failed', reason })
const givenUp = failed('The file could not be processed.')

const attempt = async (deps: Deps, upload: Upload, attempts: number): Promise<Outcome> => {
  const { maxAttempts, logger } = deps
  if (attempts > maxAttempts) return givenUp
  try {
    return await makeDerivatives(deps, upload)
  } catch (error) {
    if (error instanceof MediaProblem) {
      logger.info({ reason: error.message }, 'file not fit to show')
      return failed(error.message)
    }
    // What killed a decoder may have been the machine, so it is tried again, but not for ever.
    if (error instanceof DecoderDied && attempts === maxAttempts) {
      logger.error({ err: error }, 'file given up')
      return givenUp
    }
    if (error instanceof DecoderDied) throw error
    return givingBack(deps, upload)(error)
  }
}

/** An outage says nothing about the file: the attempt does not count, unless that cannot be written down either. */
const givingBack =
  ({ jobs, logger }: Deps, { uploadId }: Upload) =>
  async (error: unknown): Promise<never> => {
    await jobs
      .giveBackAttempt(uploadId)
      .catch((failure: unknown) => logger.warn({ err: failure }, 'the attempt counts'))
    throw error
  }

const makeDerivatives = (
  { blobs, workspace, decode }: Deps,
  { uploadId, contentType, size }: Upload,
): Promise<Outcome> =>
  workspace.withFolder(size, async (folder) => {
    const file = join(folder, 'original')
    await inSpan('download', {}, () => blobs.downloadOriginal(uploadId, file))
    const attributes = { 'confetti.content_type': contentType, 'confetti.bytes': size }
    const { measures, ...derivatives } = await inSpan('decode', { attributes }, () =>
      decode({ file, folder, contentType }),
    )
    await inSpan('store', {}, () => blobs.putDerivatives(uploadId, derivatives))
    return { state: 'done', measures }
  })
