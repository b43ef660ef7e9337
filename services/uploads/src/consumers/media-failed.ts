import { consumer } from '@confetti/messaging'
import type { UploadStore } from '../storage/upload-store.ts'

export const mediaFailedConsumer = ({ uploads }: { uploads: UploadStore }) =>
  consumer('uploads.media-failed', ({ data }) => uploads.markFailed(data))
