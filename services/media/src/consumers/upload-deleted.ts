import { consumer } from '@confetti/messaging'
import type { DiscardUpload } from '../domain/discard-upload.ts'

interface Deps {
  discardUpload: DiscardUpload
}

export const uploadDeletedConsumer = ({ discardUpload }: Deps) =>
  consumer('media.upload-deleted', ({ data }) => discardUpload(data.uploadId))
