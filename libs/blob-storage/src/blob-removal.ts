import { RestError, type BlobClient, type ContainerClient } from '@azure/storage-blob'

/** For a lease, a copy, and a second of either. A guest can repeat them until the link expires; callers try again later. */
const MAX_ATTEMPTS = 4

/**
 * Removes blobs whatever guests have done to them. By the link of a direct upload a guest can lease the blob for ever, or
 * have something copied to it that takes days; both keep others from removing it, and are ended first. One that the guest
 * has archived, or has made of another type, can be deleted, but not overwritten.
 */
export const createBlobRemoval = (
  container: ContainerClient,
  /** Options of one call to blob storage. */
  newCallDeadline: () => { abortSignal: AbortSignal },
) => {
  const breakLease = (blob: BlobClient) => blob.getBlobLeaseClient().breakLease(0, newCallDeadline())

  const deleteBlob = (blob: BlobClient) =>
    blob.deleteIfExists({ deleteSnapshots: 'include', ...newCallDeadline() })

  /** Ends what made blob storage refuse; false if `error` has another cause. */
  const release = async (blob: BlobClient, error: unknown): Promise<boolean> => {
    const code = error instanceof RestError ? error.code : undefined
    if (code === 'LeaseIdMissing') await breakLease(blob)
    else if (code === 'PendingCopyOperation') {
      const { copyId = '', leaseStatus } = await blob.getProperties(newCallDeadline())
      // Azure does not say which of the two it names first, and does not abort a copy to a leased blob.
      if (leaseStatus === 'locked') await breakLease(blob)
      await blob.abortCopyFromURL(copyId, newCallDeadline())
    } else if (code === 'BlobArchived' || code === 'InvalidBlobType') await deleteBlob(blob)
    else return false
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

  return {
    /** Removes a blob, if there is one. */
    removeBlob: async (name: string): Promise<void> => {
      const blob = container.getBlobClient(name)
      await removeReleased(blob, () => deleteBlob(blob))
    },

    /** Removes a blob or its uncommitted blocks. Only an empty blob in their place can be deleted. */
    removeBlobOrBlocks: async (name: string): Promise<void> => {
      const blob = container.getBlockBlobClient(name)
      await removeReleased(blob, async () => {
        await blob.upload('', 0, newCallDeadline())
        await deleteBlob(blob)
      })
    },
  }
}
