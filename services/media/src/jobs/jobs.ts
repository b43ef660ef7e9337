import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { isVideo, PROCESSING_CRASHED } from '@confetti/contracts'
import { inSpan, type Service } from '@confetti/service-kit'
import type { Config } from '../config.ts'
import type { Decode, Render } from '../decode/decode.ts'
import { DecoderCrashError, UnprocessableMediaError } from '../decode/decoder-protocol.ts'
import type {
  BlobStore,
  CopyFile,
  CopyOutcome,
  Failure,
  JobRecords,
  JobStore,
  Outcome,
  PreviewOutcome,
  Upload,
} from './job.ts'

/** An original on the local disk, with a folder for what is made of it. */
interface Original {
  file: string
  folder: string
}

/** What a worker works with besides its stores. */
export interface Machine {
  blobs: BlobStore
  decode: Decode
  render: Render
  /** Runs `work` with a temporary folder on a disk that has space for a file of `bytes`. */
  withTempFolder: <T>(bytes: number, work: (folder: string) => Promise<T>) => Promise<T>
}

interface Deps extends Service<Config>, Machine {
  previews: JobStore<PreviewOutcome>
  renditions: JobStore<CopyOutcome>
  copies: JobStore<CopyOutcome>
  records: JobRecords
}

interface RunJobDeps<O extends Outcome> extends Deps {
  jobs: JobStore<O>
  /** For the log: what is processed, and the line when that has ended. */
  name: string
  endMessage: string
  /** Throws `UnprocessableMediaError` if the file is why it cannot be done. */
  work: (upload: Upload, original: Original) => Promise<O>
}

/** Resolves with how the attempt has ended; undefined if there was none, as the work had been done before. */
export type RunJob = (upload: Upload) => Promise<Outcome['state'] | 'deleted' | undefined>

/**
 * Does some work on an original and publishes the result, or the reason why it cannot be done. If it has been done
 * before, it publishes the stored outcome again. Throws if a later attempt may succeed.
 */
const createRunJob =
  <O extends Outcome>(deps: RunJobDeps<O>): RunJob =>
  async (upload) => {
    const { jobs, blobs, logger, endMessage } = deps
    const { uploadId } = upload
    const job = await jobs.startAttempt(upload)
    const outcome = job.outcome ?? (job.isDeleted ? undefined : await attempt(deps, upload, job.attempts))
    const saved = outcome && (await jobs.saveOutcome(upload, outcome).catch(refundAndThrow(deps, upload)))
    if (!saved) {
      // The upload has been deleted, perhaps just now. A worker that was killed after the deletion may have left blobs.
      await blobs.removeUpload(uploadId)
      return 'deleted'
    }
    logger.info({ outcome: outcome.state }, endMessage)
    return job.outcome ? undefined : outcome.state
  }

const failed = (reason: string): Failure => ({ state: 'failed', reason })
const failedPermanently = failed(PROCESSING_CRASHED)

const attempt = <O extends Outcome>(deps: RunJobDeps<O>, upload: Upload, attempts: number): Promise<O> => {
  const { config, withTempFolder, blobs } = deps
  return withTempFolder(upload.size, async (folder) => {
    const file = join(folder, 'original')
    const checksums = await inSpan('download', {}, () => blobs.downloadOriginal(upload.uploadId, file))
    // More attempts than the limit: an earlier one killed the worker.
    const outcome =
      attempts > config.MAX_ATTEMPTS
        ? failedPermanently
        : await tryWork(deps, upload, { file, folder, attempts })
    return { ...outcome, checksums } as O
  }).catch((error: unknown) => {
    if (error instanceof DecoderCrashError) throw error
    return refundAndThrow(deps, upload)(error)
  })
}

const tryWork = async <O extends Outcome>(
  { config, work, name, logger }: RunJobDeps<O>,
  upload: Upload,
  { attempts, ...original }: Original & { attempts: number },
): Promise<O | Failure> => {
  try {
    return await work(upload, original)
  } catch (error) {
    if (error instanceof UnprocessableMediaError) {
      logger.info({ reason: error.message, cause: error.cause }, `cannot process ${name}`)
      return failed(error.message)
    }
    // The crash may be due to the machine, so the file is tried again, up to the limit.
    if (error instanceof DecoderCrashError && attempts === config.MAX_ATTEMPTS) {
      logger.error({ err: error }, `${name} failed permanently`)
      return failedPermanently
    }
    throw error
  }
}

/** After an outage, which is no fault of the file, the attempt does not count, unless the refund fails as well. */
const refundAndThrow =
  <O extends Outcome>({ jobs, logger }: RunJobDeps<O>, { uploadId }: Upload) =>
  async (error: unknown): Promise<never> => {
    await jobs
      .refundAttempt(uploadId)
      .catch((failure: unknown) => logger.warn({ err: failure }, 'failed to refund attempt'))
    throw error
  }

const toCopyFile = (bytes: Uint8Array): CopyFile => ({ size: bytes.byteLength, crc32: crc32(bytes) })

const measureFile = async (file: string): Promise<CopyFile> => {
  const measured = { size: 0, crc32: 0 }
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    measured.size += chunk.length
    measured.crc32 = crc32(chunk, measured.crc32)
  }
  return measured
}

const SWEEP_BATCH_SIZE = 500

/** What the worker does with uploads. */
export const createJobs = (deps: Deps) => {
  const { config, previews, renditions, copies, records, blobs, decode, render, stopping, clock, logger } =
    deps

  const decodeInSpan = ({ contentType, size, guestId, copy }: Upload, original: Original) =>
    inSpan('decode', { attributes: { 'confetti.content_type': contentType, 'confetti.bytes': size } }, () =>
      decode({
        ...original,
        contentType,
        ...(guestId !== undefined && { guestId }),
        ...(copy && !isVideo(contentType) && { copy }),
      }),
    )

  return {
    /** Creates thumbnail and preview of an upload, and a copy if it is asked for, and reads its metadata. */
    process: createRunJob<PreviewOutcome>({
      ...deps,
      jobs: previews,
      name: 'file',
      endMessage: 'upload processed',
      work: async (upload, original) => {
        const { metadata, ...derivatives } = await decodeInSpan(upload, original)
        await inSpan('store', {}, () => blobs.putDerivatives(upload.uploadId, derivatives))
        const { copy } = derivatives
        return { state: 'done', metadata, ...(copy && { copy: toCopyFile(copy) }) }
      },
    }),

    /** Creates the copy of a photo that has been processed without one. */
    copy: createRunJob<CopyOutcome>({
      ...deps,
      jobs: copies,
      name: 'copy',
      endMessage: 'copy processed',
      work: async (upload, original) => {
        const { copy } = await decodeInSpan(upload, original)
        if (!copy) throw new UnprocessableMediaError('Only photos have copies.')
        await inSpan('store', {}, () => blobs.putDerivatives(upload.uploadId, { copy }))
        return { state: 'done', copy: toCopyFile(copy) }
      },
    }),

    /** Creates the rendition of a video: a file that all browsers play. */
    render: createRunJob<CopyOutcome>({
      ...deps,
      jobs: renditions,
      name: 'rendition',
      endMessage: 'rendition processed',
      work: async ({ uploadId, size }, original) => {
        const attributes = { 'confetti.bytes': size }
        const file = await inSpan('render', { attributes }, () => render(original))
        // Rendering takes minutes. What is stored of a deleted upload would be there until it is removed again.
        if (!(await records.isDeleted(uploadId)))
          await inSpan('store', {}, () => blobs.putRendition(uploadId, file))
        return { state: 'done', copy: await measureFile(file) }
      },
    }),

    /** Removes the original and the derivatives of a deleted upload. */
    removeUpload: async (uploadId: string): Promise<void> => {
      // The mark comes first: a worker that is processing the upload finds it and removes the derivatives it has stored.
      await records.markDeleted(uploadId)
      await blobs.removeUpload(uploadId)
    },

    /**
     * Removes the jobs of uploads that have been deleted or processed long ago: no message about them is expected any
     * more. Several replicas can run it at once.
     */
    sweep: async (): Promise<void> => {
      const before = new Date(clock().getTime() - config.JOB_RETENTION_MS)
      let removedJobs = 0
      for (;;) {
        const removed = await records.removeOlderThan(before, SWEEP_BATCH_SIZE)
        removedJobs += removed
        if (removed < SWEEP_BATCH_SIZE || stopping.aborted) break
      }
      logger.info({ removedJobs }, 'sweep completed')
    },
  }
}
export type Jobs = ReturnType<typeof createJobs>
