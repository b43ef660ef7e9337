import { RestError, type BlobClient, type ContainerClient } from '@azure/storage-blob'
import type { Deadline } from './link-signer.ts'

/** For a lease, a copy, and a second of either: the next sweep tries again after the guest's link has expired. */
const MAX_ATTEMPTS = 4

/**
 * Removes blobs whatever guests have done to them. By the link of a direct upload a guest can lease the blob for ever, or
 * have something copied to it that takes days; both keep others from removing it, and are ended first.
 */
export const createBlobRemoval = (container: ContainerClient, newCallDeadline: () => Deadline) => {
  /** Ends what made blob storage refuse; false if `error` has another cause. */
  const release = async (blob: BlobClient, error: unknown): Promise<boolean> => {
    const code = error instanceof RestError ? error.code : undefined
    if (code === 'LeaseIdMissing') await blob.getBlobLeaseClient().breakLease(0, newCallDeadline())
    else if (code === 'PendingCopyOperation') {
      const { copyId = '' } = await blob.getProperties(newCallDeadline())
      await blob.abortCopyFromURL(copyId, newCallDeadline())
    } else return false
    return true
  }

  const removeReleased = async (blob: BlobClient, remove: () => Promise<unknown>): Promise<void> => {
    for (let attempt = 1; ; attempt += 1)
      try {
        await remove()
        return
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !(await release(blob, error))) throw error
      }
  }

  const deleteBlob = (blob: BlobClient) =>
    blob.deleteIfExists({ deleteSnapshots: 'include', ...newCallDeadline() })

  return {
    /** Removes a blob, if there is one. */
    removeCommitted: async (name: string): Promise<void> => {
      const blob = container.getBlobClient(name)
      await removeReleased(blob, () => deleteBlob(blob))
    },

    /** Removes a blob or its uncommitted blocks. Only an empty blob in their place can be deleted. */
    remove: async (name: string): Promise<void> => {
      const blob = container.getBlockBlobClient(name)
      await removeReleased(blob, async () => {
        await blob.upload('', 0, newCallDeadline())
        await deleteBlob(blob)
      })
    },
  }
}
