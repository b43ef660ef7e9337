import { inSpan } from '@confetti/service-kit'
import type { Render } from '../decode/decode.ts'
import type { JobRecords, Outcome } from './job.ts'
import { makeRunJob, type RunJob, type RunJobDeps } from './run-job.ts'

/** Creates the rendition of a video: a file that all browsers play. */
export const makeRenderVideo = ({
  render,
  isDeleted,
  ...deps
}: RunJobDeps<Outcome> & { render: Render } & Pick<JobRecords, 'isDeleted'>): RunJob =>
  makeRunJob<Outcome>({
    ...deps,
    name: 'rendition',
    endMessage: 'rendition processed',
    work: async ({ uploadId, size }, original) => {
      const attributes = { 'confetti.bytes': size }
      const file = await inSpan('render', { attributes }, () => render(original))
      // Rendering takes minutes. What is stored of a deleted upload would be there until it is removed again.
      if (!(await isDeleted(uploadId)))
        await inSpan('store', {}, () => deps.blobs.putRendition(uploadId, file))
      return { state: 'done' }
    },
  })
