import { inSpan } from '@confetti/service-kit'
import type { Render } from '../decode/decode.ts'
import type { Outcome } from './job.ts'
import { makeRunJob, type RunJob, type RunJobDeps } from './run-job.ts'

/** Creates the rendition of a video: a file that all browsers play. */
export const makeRenderVideo = ({ render, ...deps }: RunJobDeps<Outcome> & { render: Render }): RunJob =>
  makeRunJob<Outcome>({
    ...deps,
    name: 'rendition',
    endMessage: 'rendition processed',
    work: async ({ uploadId, size }, original) => {
      const attributes = { 'confetti.bytes': size }
      const file = await inSpan('render', { attributes }, () => render(original))
      await inSpan('store', {}, () => deps.blobs.putRendition(uploadId, file))
      return { state: 'done' }
    },
  })
