import * as contracts from '@confetti/contracts'
import { tooLarge, type Route } from '@confetti/service-kit'
import type { CreateUploads } from '../domain/create-uploads.ts'
import { toUploadResult } from '../domain/upload-result.ts'
import { createBodyLength } from '../ingest/body-length.ts'
import { readMultipart, type FormLimits } from '../ingest/read-multipart.ts'
import { senderOf } from './sender.ts'

export interface CreateUploadsDeps extends Pick<FormLimits, 'minRateWindowMs' | 'maxDurationMs'> {
  createUploads: CreateUploads
  limits: contracts.UploadLimits
}

export const createUploadsRoute = ({
  createUploads,
  limits,
  minRateWindowMs,
  maxDurationMs,
}: CreateUploadsDeps): Route<typeof contracts.createUploads> => ({
  ...contracts.createUploads,
  handle: async ({ request, address }) => {
    if (Number(request.headers['content-length']) > contracts.maxUploadRequestBytes(limits))
      throw tooLarge('That is too much for one upload. Please send fewer files at once.')
    const bodyLength = createBodyLength(limits)
    const parts = readMultipart(request, {
      checkLength: bodyLength.check,
      maxFileBytes: limits.MAX_FILE_BYTES,
      maxFiles: limits.MAX_FILES_PER_REQUEST,
      minRateWindowMs,
      maxDurationMs,
    })
    const { stored, rejected } = await createUploads(
      senderOf(request, address),
      parts,
      bodyLength.acceptFiles,
    )
    return {
      status: 201,
      body: {
        message: 'Media uploaded successfully.',
        uploads: stored.map(({ originalName, ...outcome }) => toUploadResult(outcome, originalName)),
        rejected: rejected.map(({ originalName, error: { code, message } }) => ({
          originalName,
          code,
          message,
        })),
      },
    }
  },
})
