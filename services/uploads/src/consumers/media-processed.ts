import { consumer } from '@confetti/messaging'
import type { UploadStore } from '../storage/upload-store.ts'

export const mediaProcessedConsumer = ({ uploads }: { uploads: UploadStore }) =>
  consumer('uploads.media-processed', ({ data }) => uploads.markReady(data))
