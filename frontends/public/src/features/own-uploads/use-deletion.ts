import { useEffect, useMemo, useRef, useState } from 'react'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { isUploadNotFound } from '@confetti/album/upload-not-found'
import { UNDO_MS, type GuestUpload } from '@confetti/contracts'
import { api } from '@confetti/session'
import { notifyError } from '@confetti/ui/notify'
import { getText, useText, type TextId } from '../../texts.ts'
import { asOwner } from './as-owner.ts'
import type { Listed } from './use-own-uploads.ts'

/** What both calls have in common: they are sent although the page is left meanwhile, and end after some time. */
const callOf = (eventId: string, uploadId: string, signal: AbortSignal) =>
  ({ params: { uploadId }, eventId, ...asOwner(), keepalive: true, signal }) as const
const deleteOwnUpload = (eventId: string, uploadId: string) =>
  requestWithTimeout(undefined, (signal) =>
    api().delete('/api/guest/uploads/{uploadId}', callOf(eventId, uploadId, signal)),
  )
const restoreOwnUpload = (eventId: string, uploadId: string) =>
  requestWithTimeout(undefined, (signal) =>
    api().post('/api/guest/uploads/{uploadId}/restore', callOf(eventId, uploadId, signal)),
  )

interface Deletion {
  upload: GuestUpload
  /** Whether it can be undone. */
  isUndoable: boolean
  /** When the server had deleted it; undefined until that is known. */
  deletedAt?: number
}

/** Whether the file was sent again since: the same bytes are the same upload. */
const isThereAgain = ({ upload, deletedAt = Infinity }: Deletion, listed: Listed | undefined): boolean =>
  listed !== undefined &&
  listed.requestedAt > deletedAt &&
  listed.uploads.some(({ _id }) => _id === upload._id)

interface Options {
  eventId: string
  /** The guest's list, as the server has answered it last. */
  listed: Listed | undefined
  /** Called when an upload is there again. */
  onRestored: (upload: GuestUpload) => void
  /** Called when the list may be another one than the page knows. */
  onUncertain: () => void
}

/** Deletes uploads at once, and undoes that: the server restores them for 30 seconds. */
export const useDeletion = ({ eventId, listed, ...options }: Options) => {
  const t = useText()
  const [all, setAll] = useState<ReadonlyMap<string, Deletion>>(new Map())
  const [announcement, setAnnouncement] = useState('')
  const requests = useRef(new Map<string, Promise<boolean>>())
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())

  useEffect(() => {
    const running = timers.current
    return () => running.forEach((timer) => clearTimeout(timer))
  }, [])

  const deletions: ReadonlyMap<string, Deletion> = useMemo(
    () => new Map([...all].filter(([, deletion]) => !isThereAgain(deletion, listed))),
    [all, listed],
  )

  const update = ({ _id }: GuestUpload, changes: Partial<Deletion>): void =>
    setAll((before) => {
      const deletion = before.get(_id)
      return deletion ? new Map(before).set(_id, { ...deletion, ...changes }) : before
    })
  const forget = ({ _id }: GuestUpload): void => {
    clearTimeout(timers.current.get(_id))
    setAll((before) => new Map([...before].filter(([id]) => id !== _id)))
  }
  const tell = (text: TextId, { originalName }: GuestUpload): void => {
    notifyError(getText(text, { name: originalName }), getText('common.error'))
  }

  /** Resolves to whether the upload is deleted. */
  const request = async (upload: GuestUpload): Promise<boolean> => {
    try {
      await deleteOwnUpload(eventId, upload._id)
    } catch (error) {
      if (!isUploadNotFound(error)) {
        forget(upload)
        tell('own.deleteFailed', upload)
        options.onUncertain()
        return false
      }
    }
    update(upload, { deletedAt: Date.now() })
    return true
  }

  return {
    /** What was deleted, also what cannot be restored any more, as an earlier answer may still list it. */
    deletions,
    /** What has happened last, for those who cannot see it. */
    announcement,

    isUndoable: ({ _id }: Pick<GuestUpload, '_id'>): boolean => deletions.get(_id)?.isUndoable === true,

    remove: (upload: GuestUpload): void => {
      clearTimeout(timers.current.get(upload._id))
      setAll((before) => new Map(before).set(upload._id, { upload, isUndoable: true }))
      setAnnouncement(t('own.deleted.announce', { name: upload.originalName }))
      // From the click on: the server counts from a later moment.
      timers.current.set(
        upload._id,
        setTimeout(() => update(upload, { isUndoable: false }), UNDO_MS),
      )
      requests.current.set(upload._id, request(upload))
    },

    undo: async (upload: GuestUpload): Promise<void> => {
      // In their order.
      if (!(await requests.current.get(upload._id))) return
      try {
        const { upload: restored } = await restoreOwnUpload(eventId, upload._id)
        forget(upload)
        setAnnouncement(t('own.restored', { name: upload.originalName }))
        options.onRestored(restored)
      } catch (error) {
        if (isUploadNotFound(error)) update(upload, { isUndoable: false })
        tell(isUploadNotFound(error) ? 'own.undoTooLate' : 'own.undoFailed', upload)
      }
    },
  }
}
export type Deletions = ReturnType<typeof useDeletion>
