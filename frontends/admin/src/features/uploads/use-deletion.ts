import { useCallback, useState } from 'react'
import { ApiError, messageOf } from '@confetti/api-client'
import type { Upload } from '@confetti/contracts'
import { notify, notifyError } from '@confetti/ui/notify'
import { deleteUpload } from './uploads-api.ts'

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Deletes the selected upload once that is confirmed; `onDeleted` is told when it is gone. */
export const useDeletion = (onDeleted: (id: string) => void) => {
  const [selected, setSelected] = useState<Upload>()
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set())

  const remove = async (id: string): Promise<void> => {
    setLeaving((before) => new Set(before).add(id))
    try {
      await deleteUpload(id).catch((error: unknown) => {
        if (!isGone(error)) throw error
      })
      onDeleted(id)
      notify({ title: 'Success', message: 'Upload deleted successfully' })
    } catch (error) {
      notifyError(messageOf(error))
    } finally {
      setLeaving((before) => new Set([...before].filter((other) => other !== id)))
    }
  }

  return {
    selected,
    leaving,
    select: useCallback((upload: Upload) => setSelected(upload), []),
    cancel: (): void => setSelected(undefined),
    confirm: (): void => {
      setSelected(undefined)
      if (selected) void remove(selected._id)
    },
  }
}
