import { defineConsumer } from '@confetti/messaging'
import type { UploadStore } from '../domain/upload.ts'

export interface MediaFailedDeps {
  uploads: Pick<UploadStore, 'markFailed'>
}

export const mediaFailedConsumer = ({ uploads }: MediaFailedDeps) =>
  defineConsumer('uploads.media-failed', ({ data }) => uploads.markFailed(data))
