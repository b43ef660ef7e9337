import * as contracts from '@confetti/contracts'
import { tooLarge, type Route } from '@confetti/service-kit'
import type { CreateUploads } from '../domain/create-uploads.ts'
import { readMultipart, type FormLimits } from '../multipart/read-multipart.ts'

interface Deps extends Pick<FormLimits, 'paceWindowMs' | 'longestMs'> {
  createUploads: CreateUploads
  limits: contracts.UploadLimits
}

export const createUploadsRoute = ({
  createUploads,
  limits,
  paceWindowMs,
  longestMs,
}: Deps): Route<typeof contracts.createUploads> => ({
  ...contracts.createUploads,
  handle: async ({ request }) => {
    if (Number(request.headers['content-length']) > contracts.maxUploadRequestBytes(limits))
      throw tooLarge('That is too much for one upload. Please send fewer files at once.')
    const parts = readMultipart(request, {
      maxFileBytes: limits.MAX_FILE_BYTES,
      maxFiles: limits.MAX_FILES_PER_REQUEST,
      paceWindowMs,
      longestMs,
    })
    const { kept, refused } = await createUploads(parts)
    return {
      status: 201,
      body: {
        message: 'Media uploaded successfully.',
        uploads: kept.map(({ upload, originalName, duplicate }) => ({
          _id: upload._id,
          originalName,
          contentType: upload.contentType,
          size: upload.size,
          sha256: upload.sha256,
          duplicate,
        })),
        rejected: refused.map(({ originalName, refusal: { code, message } }) => ({
          originalName,
          code,
          message,
        })),
      },
    }
  },
})
