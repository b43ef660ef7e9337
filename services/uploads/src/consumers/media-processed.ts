import { defineConsumer } from '@confetti/messaging'
import type { UploadStore } from '../domain/upload.ts'

export interface MediaProcessedDeps {
  uploads: Pick<UploadStore, 'markReady'>
}

export const mediaProcessedConsumer = ({ uploads }: MediaProcessedDeps) =>
  defineConsumer('uploads.media-processed', ({ data }) => uploads.markReady(data))
