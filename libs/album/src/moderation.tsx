import { useCallback, useEffect, useMemo, useState } from 'react'
import Undo2 from 'lucide-react/icons/undo-2'
import type { Upload, UploadVisibility } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { notifyError } from '@confetti/ui/notify'
import { createDeferredDeletions, flushOnLeave } from './deferred-deletions.ts'
import { createDeletionQueue, notifyFailedDeletions } from './deletion-queue.ts'
import type { EventCalls } from './event-calls.ts'
import styles from './moderation.module.css'
import { useText } from './texts.ts'
import type { Uploads } from './use-uploads.ts'

/** Creates a function that runs calls one after the other, whether they succeed or not. */
const runInOrder = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T,>(call: () => Promise<T>): Promise<T> => {
    const result = last.then(call, call)
    last = result.catch(() => undefined)
    return result
  }
}

/** The calls that show, hide and delete uploads of one event, in the caller's role. */
export type ModerationCalls = Pick<EventCalls, 'setVisibility' | 'deleteUpload'>

/** What one call can change. */
const MAX_CHANGED = 1_000

const noIds: ReadonlySet<string> = new Set()
const without = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set([...ids].filter((other) => other !== id))

const idsOf = (uploads: readonly Upload[]): string[] => uploads.map(({ _id }) => _id)

interface Options {
  uploads: Uploads
  calls: ModerationCalls
}

/**
 * Shows, hides and deletes uploads. A deleted one is hidden at once and deleted 30 seconds later, or when the page is left;
 * until then it can be undone.
 */
export const useModeration = ({ uploads, calls }: Options) => {
  const { changeVisibility, remove } = uploads
  // Changes of the same upload must arrive in their order.
  const [inOrder] = useState(runInOrder)
  const [undoableIds, setUndoableIds] = useState(noIds)
  const [goneIds, setGoneIds] = useState(noIds)
  const [deletions] = useState(() => {
    const enqueue = createDeletionQueue({
      remove: async (id, options) => {
        // What was changed before arrives before, unless the page is being left.
        if (!options.keepalive) await inOrder(() => Promise.resolve())
        await calls.deleteUpload(id, options)
      },
      onDeleted: remove,
      onFailed: ({ upload: { _id } }) => setGoneIds((before) => without(before, _id)),
      onDone: (_, failures) => notifyFailedDeletions(failures),
    })
    return createDeferredDeletions<Upload>({
      onChange: setUndoableIds,
      remove: (upload, options) => enqueue([upload], options),
    })
  })

  useEffect(() => flushOnLeave(deletions), [deletions])

  const setVisibility = useCallback(
    (changed: readonly Upload[], visibility: UploadVisibility, onFailed?: () => void): void => {
      const ids = idsOf(changed)
      if (ids.length === 0) return
      const store = async (): Promise<void> => {
        for (let start = 0; start < ids.length; start += MAX_CHANGED)
          await calls.setVisibility(ids.slice(start, start + MAX_CHANGED), visibility)
      }
      changeVisibility(ids, visibility, () => inOrder(store)).catch((error: unknown) => {
        notifyError(getFailureText(error))
        onFailed?.()
      })
    },
    [calls, changeVisibility, inOrder],
  )

  const deleteUploads = useCallback(
    (deleted: readonly Upload[]): void => {
      const ids = idsOf(deleted)
      setGoneIds((before) => new Set([...before, ...ids]))
      setVisibility(
        deleted.filter(({ visibility }) => visibility !== 'hidden'),
        'hidden',
      )
      for (const upload of deleted) deletions.schedule(upload)
    },
    [deletions, setVisibility],
  )
  /** Undoes the deletion of uploads, with the visibility that each had. */
  const restore = useCallback(
    (deleted: readonly Upload[]): void => {
      const ids = new Set(idsOf(deleted))
      for (const id of ids) deletions.undo(id)
      setGoneIds((before) => new Set([...before].filter((id) => !ids.has(id))))
      for (const visibility of ['visible', 'pending'] as const)
        setVisibility(
          deleted.filter((upload) => upload.visibility === visibility),
          visibility,
        )
    },
    [deletions, setVisibility],
  )

  const all = uploads.uploads
  const shown = useMemo(
    () => (goneIds.size > 0 ? all.filter(({ _id }) => !goneIds.has(_id)) : all),
    [all, goneIds],
  )
  return {
    /** The uploads without those that were deleted. */
    uploads: shown === all ? uploads : { ...uploads, uploads: shown },
    setVisibility,
    deleteUploads,
    restore,
    /** The ids of the uploads whose deletion can be undone. */
    undoableIds,
  }
}
export type Moderation = ReturnType<typeof useModeration>

/** Deletes uploads of a photo grid, all of which can be undone together for as long as one of them can. */
export const useUndoableDeletion = ({ deleteUploads, restore, undoableIds }: Moderation) => {
  const [deleted, setDeleted] = useState<readonly Upload[]>([])
  const undoable = deleted.filter(({ _id }) => undoableIds.has(_id))
  return {
    undoableCount: undoable.length,
    onDelete: useCallback(
      (chosen: readonly Upload[]): void => {
        deleteUploads(chosen)
        const ids = new Set(idsOf(chosen))
        setDeleted((before) => [...before.filter(({ _id }) => !ids.has(_id)), ...chosen])
      },
      [deleteUploads],
    ),
    undo: (): void => {
      restore(undoable)
      setDeleted([])
    },
  }
}

interface Props {
  /** How many uploads were deleted, which can be undone. */
  count: number
  onUndo: () => void
}

/** Says that uploads were deleted, with a button that undoes it. */
export const DeletionNotice = ({ count, onUndo }: Props) => {
  const t = useText()
  return (
    <div role="status" className={styles.region}>
      {count > 0 && (
        <div className={styles.notice}>
          <p>{t('album.deleted', { count })}</p>
          <Button variant="secondary" size="small" icon={<Undo2 size={18} aria-hidden />} onClick={onUndo}>
            {t('common.undo')}
          </Button>
        </div>
      )}
    </div>
  )
}
