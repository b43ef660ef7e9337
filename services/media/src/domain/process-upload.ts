import { inSpan } from '@confetti/service-kit'
import type { Decode } from '../decode/decode.ts'
import type { PreviewOutcome } from './job.ts'
import { makeRunJob, type RunJob, type RunJobDeps } from './run-job.ts'

/** Creates thumbnail and preview of an upload, and reads its metadata. */
export const makeProcessUpload = ({
  decode,
  ...deps
}: RunJobDeps<PreviewOutcome> & { decode: Decode }): RunJob =>
  makeRunJob<PreviewOutcome>({
    ...deps,
    name: 'file',
    endMessage: 'upload processed',
    work: async ({ uploadId, contentType, size }, original) => {
      const attributes = { 'confetti.content_type': contentType, 'confetti.bytes': size }
      const { metadata, ...derivatives } = await inSpan('decode', { attributes }, () =>
        decode({ ...original, contentType }),
      )
      await inSpan('store', {}, () => deps.blobs.putDerivatives(uploadId, derivatives))
      return { state: 'done', metadata }
    },
  })
