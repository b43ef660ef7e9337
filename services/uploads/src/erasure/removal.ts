import type { UploadStore } from '../upload.ts'

interface Options {
  uploads: Pick<UploadStore, 'removeDeleted'>
  /** Removes the blobs of an upload; false if one is left. */
  removeBlobs: (uploadId: string) => Promise<boolean>
  /** How many uploads' blobs are removed at the same time. */
  atOnce?: number
}

/** Removes what each of the ids has, unless that fails. Returns the ids of those that have nothing left. */
export const removeEach = async (
  ids: readonly string[],
  remove: (uploadId: string) => Promise<boolean>,
  atOnce = 1,
): Promise<string[]> => {
  const removed: string[] = []
  for (let start = 0; start < ids.length; start += atOnce)
    await Promise.all(
      ids.slice(start, start + atOnce).map(async (id) => {
        if (await remove(id)) removed.push(id)
      }),
    )
  return removed
}

/**
 * Creates the removal of deleted uploads in batches: blobs first, then records. Uploads whose blobs can't be removed keep
 * their records, and are not tried again.
 */
export const createUploadRemoval = ({ uploads, removeBlobs, atOnce }: Options) => {
  const left = new Set<string>()
  return {
    /** How many uploads are left. A list of deleted uploads has them, too. */
    leftCount: (): number => left.size,

    /** Removes those of the uploads that are not left from an earlier batch. */
    remove: async (listed: readonly string[]): Promise<{ tried: number; removed: number }> => {
      const ids = listed.filter((id) => !left.has(id))
      const removed = await removeEach(ids, removeBlobs, atOnce)
      await uploads.removeDeleted(removed)
      for (const id of ids) if (!removed.includes(id)) left.add(id)
      return { tried: ids.length, removed: removed.length }
    },
  }
}
