import { useCallback, useState } from 'react'
import type { Upload } from '@confetti/contracts'
import type { Moderation } from './use-moderation.tsx'

/** Deletes uploads of a gallery, all of which can be undone together for as long as one of them can. */
export const useUndoableDeletion = ({ deleteUpload, restore, undoableIds }: Moderation) => {
  const [deleted, setDeleted] = useState<readonly Upload[]>([])
  const undoable = deleted.filter(({ _id }) => undoableIds.has(_id))
  return {
    undoableCount: undoable.length,
    onDelete: useCallback(
      (upload: Upload): void => {
        deleteUpload(upload)
        setDeleted((before) => [...before.filter(({ _id }) => _id !== upload._id), upload])
      },
      [deleteUpload],
    ),
    undo: (): void => {
      for (const upload of undoable) restore(upload)
      setDeleted([])
    },
  }
}
