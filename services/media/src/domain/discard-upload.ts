import type { BlobStore } from './blob-store.ts'
import type { JobRecords } from './job.ts'

interface Deps {
  jobs: Pick<JobRecords, 'markDeleted'>
  blobs: Pick<BlobStore, 'removeUpload'>
}

export type DiscardUpload = (uploadId: string) => Promise<void>

/** Removes the original and the derivatives of a deleted upload. */
export const makeDiscardUpload =
  ({ jobs, blobs }: Deps): DiscardUpload =>
  async (uploadId) => {
    // The mark comes first: a worker that is processing the upload finds it and removes the derivatives it has stored.
    await jobs.markDeleted(uploadId)
    await blobs.removeUpload(uploadId)
  }
