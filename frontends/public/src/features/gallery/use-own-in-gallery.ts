import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { insertUploads } from '@confetti/album/list-feed'
import type { GalleryUpload, GuestUpload } from '@confetti/contracts'
import { useDeletion } from '../own-uploads/use-deletion.ts'
import { MAX_LISTED, useOwnUploads } from '../own-uploads/use-own-uploads.ts'
import { getSendQueues } from '../upload/page-queues.ts'
import { getProgress } from '../upload/selected-files.ts'
import { hasSentTo } from '../upload/upload-history.ts'
import type { GalleryList } from './gallery-list.ts'

/** An own upload as the gallery has it; undefined if it cannot be shown there. */
const toGalleryUpload = (upload: GuestUpload): GalleryUpload | undefined => {
  const { width, height, thumbnailUrl, previewUrl, visibility } = upload
  if (!width || !height || !thumbnailUrl || !previewUrl || visibility !== 'visible') return undefined
  return { ...upload, width, height, thumbnailUrl, previewUrl }
}

/** How many files this visit has sent to an event. */
const useSentCount = (eventId: string): number => {
  const queue = getSendQueues().get(eventId)
  return useSyncExternalStore(queue?.subscribe ?? subscribeToNothing, () =>
    queue ? getProgress(queue.getState().files).sent : 0,
  )
}
const subscribeToNothing = () => () => undefined

/**
 * What of a gallery the guest has sent, and can delete; with `isFilter` nothing else is shown. Deleted uploads stay in the
 * list until that cannot be undone any more, so that neither the grid nor the position in it moves.
 */
export const useOwnInGallery = (
  eventId: string,
  list: GalleryList,
  { isFilter, listed }: { isFilter: boolean; listed: readonly GalleryUpload[] },
) => {
  const sentCount = useSentCount(eventId)
  const [hasSentBefore] = useState(() => hasSentTo(eventId))
  const own = useOwnUploads(eventId, {
    sentCount,
    count: MAX_LISTED,
    isNeeded: hasSentBefore || sentCount > 0,
    isFollowed: isFilter,
  })
  const { deletions, ...calls } = useDeletion({
    eventId,
    listed: own.list,
    onRestored: (upload) => {
      own.addRestored(upload)
      const shown = toGalleryUpload(upload)
      if (shown) list.show(shown)
    },
    onUncertain: own.retry,
  })

  const ownUploads = useMemo(
    () => own.list?.uploads.flatMap((upload) => toGalleryUpload(upload) ?? []),
    [own.list],
  )
  const uploads = useMemo(() => {
    const chosen = isFilter ? (ownUploads ?? []) : listed
    if (deletions.size === 0) return chosen
    const undoable = [...deletions.values()].filter(({ isUndoable }) => isUndoable)
    return insertUploads(
      chosen.filter(({ _id }) => !deletions.has(_id)),
      undoable.flatMap(({ upload }) => toGalleryUpload(upload) ?? []),
    )
  }, [isFilter, ownUploads, listed, deletions])

  const byId = useMemo(() => new Map(own.list?.uploads.map((upload) => [upload._id, upload])), [own.list])
  const findOwn = useCallback(
    (upload: GalleryUpload): GuestUpload | undefined => {
      const found = byId.get(upload._id) ?? deletions.get(upload._id)?.upload
      // The guest's list may be older, without what the gallery needs to go on showing it.
      return found && { ...found, ...upload }
    },
    [byId, deletions],
  )
  return {
    /** What is shown. */
    uploads,
    /** Whether the gallery has uploads of the guest. */
    hasOwn: ownUploads !== undefined && ownUploads.length > 0,
    isPending: ownUploads === undefined,
    renewLinks: own.renewLinks,
    findOwn,
    deletions: { deletions, ...calls },
  }
}
export type OwnInGallery = ReturnType<typeof useOwnInGallery>
