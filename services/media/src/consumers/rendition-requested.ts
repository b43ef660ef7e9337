import { defineConsumer } from '@confetti/messaging'
import type { RunJob } from '../domain/run-job.ts'
import type { ProcessingTimer } from '../metrics.ts'
import { timed } from './timed.ts'

export interface RenditionRequestedDeps {
  renderVideo: RunJob
  /** Where renditions are turned off, what still waits for one is dropped. */
  hasRenditions: boolean
  renditionTimer: ProcessingTimer
  renditionConcurrency: number
}

export const renditionRequestedConsumer = ({
  renderVideo,
  hasRenditions,
  renditionTimer,
  renditionConcurrency,
}: RenditionRequestedDeps) =>
  defineConsumer(
    'media.rendition-requested',
    async ({ data }) => {
      if (hasRenditions) await timed(renditionTimer, renderVideo, data)
    },
    { prefetch: renditionConcurrency },
  )
