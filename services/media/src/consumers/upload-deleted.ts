import { defineConsumer } from '@confetti/messaging'
import type { DiscardUpload } from '../domain/discard-upload.ts'

export interface UploadDeletedDeps {
  discardUpload: DiscardUpload
}

export const uploadDeletedConsumer = ({ discardUpload }: UploadDeletedDeps) =>
  defineConsumer('media.upload-deleted', ({ data }) => discardUpload(data.uploadId))
