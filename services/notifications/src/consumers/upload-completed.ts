import { defineConsumer } from '@confetti/messaging'
import type { RecordNewUpload } from '../domain/record-new-upload.ts'

export interface UploadCompletedDeps {
  recordNewUpload: RecordNewUpload
}

export const uploadCompletedConsumer = ({ recordNewUpload }: UploadCompletedDeps) =>
  // Digests can wait: a burst must not compete with the uploads themselves.
  defineConsumer('notifications.upload-completed', ({ data }) => recordNewUpload(data), { prefetch: 4 })
