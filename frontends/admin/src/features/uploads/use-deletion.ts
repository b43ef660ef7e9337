import { useCallback, useState } from 'react'
import { ApiError } from '@confetti/api-client'
import type { Upload } from '@confetti/contracts'
import { getFailureText } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText } from '../../texts.ts'
import { deleteUpload } from './uploads-api.ts'

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Deletes the selected upload after a confirmation. Calls `onDeleted` when the upload no longer exists. */
export const useDeletion = (onDeleted: (id: string) => void) => {
  const [selected, setSelected] = useState<Upload>()
  const [deletingIds, setDeletingIds] = useState<ReadonlySet<string>>(new Set())

  const remove = async (id: string): Promise<void> => {
    setDeletingIds((before) => new Set(before).add(id))
    try {
      await deleteUpload(id).catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      })
      onDeleted(id)
      notify({ title: getText('admin.success'), message: getText('admin.uploads.deleted') })
    } catch (error) {
      notifyError(getFailureText(error))
    } finally {
      setDeletingIds((before) => new Set([...before].filter((other) => other !== id)))
    }
  }

  return {
    selected,
    deletingIds,
    select: useCallback((upload: Upload) => setSelected(upload), []),
    cancel: (): void => setSelected(undefined),
    confirm: (): void => {
      setSelected(undefined)
      if (selected) void remove(selected._id)
    },
  }
}
