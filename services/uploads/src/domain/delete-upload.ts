import { notFound } from '@confetti/service-kit'
import type { UploadStore } from '../storage/upload-store.ts'

interface Deps {
  uploads: UploadStore
  clock: () => Date
}

/** Takes an upload out of its event at once; its blobs follow by message. Throws `notFound`. */
export const makeDeleteUpload =
  ({ uploads, clock }: Deps) =>
  async (uploadId: string): Promise<void> => {
    const gone = await uploads.markDeleted(uploadId, clock())
    if (!gone) throw notFound('Upload not found.', { code: 'upload_not_found' })
  }
export type DeleteUpload = ReturnType<typeof makeDeleteUpload>
