import { notFound, type Clock } from '@confetti/service-kit'
import type { UploadStore } from './upload.ts'

interface Deps {
  uploads: Pick<UploadStore, 'markDeleted'>
  clock: Clock
}

/** Deletes an upload: it disappears from all lists at once, and the media worker removes its blobs. Throws `notFound`. */
export const makeDeleteUpload =
  ({ uploads, clock }: Deps) =>
  async (uploadId: string): Promise<void> => {
    const deleted = await uploads.markDeleted(uploadId, clock(), { isAudited: true })
    if (!deleted) throw notFound('Upload not found.', { code: 'upload_not_found' })
  }
export type DeleteUpload = ReturnType<typeof makeDeleteUpload>
