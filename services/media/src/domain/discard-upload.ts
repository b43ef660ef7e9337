import type { BlobStore } from '../storage/blob-store.ts'
import type { JobStore } from '../storage/job-store.ts'

interface Deps {
  jobs: Pick<JobStore, 'markDeleted'>
  blobs: Pick<BlobStore, 'removeUpload'>
}

export type DiscardUpload = (uploadId: string) => Promise<void>

/** Removes the original of a deleted upload and all that was made from it. */
export const makeDiscardUpload =
  ({ jobs, blobs }: Deps): DiscardUpload =>
  async (uploadId) => {
    // First the mark: whoever is making derivatives at this moment finds it, and removes them.
    await jobs.markDeleted(uploadId)
    await blobs.removeUpload(uploadId)
  }
