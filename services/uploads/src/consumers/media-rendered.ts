import { defineConsumer } from '@confetti/messaging'
import type { UploadStore } from '../domain/upload.ts'

export interface MediaRenderedDeps {
  uploads: Pick<UploadStore, 'markRendered'>
}

export const mediaRenderedConsumer = ({ uploads }: MediaRenderedDeps) =>
  defineConsumer('uploads.media-rendered', ({ data }) => uploads.markRendered(data.uploadId))
